import './base/zod-config.ts';
