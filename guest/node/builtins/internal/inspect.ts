import util from 'node-inspect-extracted';

export const { inspect, format, formatWithOptions } = util;
