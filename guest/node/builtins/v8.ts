import type { MakeBuiltin } from './builtin.ts';
import { bytesIn } from './internal/bytes.ts';
import { deserialize } from './v8/deserialize.ts';
import { serialize } from './v8/serialize.ts';
import { argTypeError, refusals } from './internal/errors.ts';

/**
 * Makes `node:v8`. Statistics come from {@link process.memoryUsage}. Functions that need V8's own API
 * refuse to work.
 */
export const makeV8: MakeBuiltin = ({ process }, load) => {
  return {
    cachedDataVersionTag: () => 0,
    getHeapStatistics: () => {
      const { heapTotal, heapUsed, external } = process.memoryUsage();
      return {
        total_heap_size: heapTotal,
        total_heap_size_executable: 0,
        total_physical_size: heapTotal,
        total_available_size: 4 * 1024 ** 3,
        used_heap_size: heapUsed,
        heap_size_limit: 4 * 1024 ** 3,
        malloced_memory: 0,
        peak_malloced_memory: 0,
        does_zap_garbage: 0,
        number_of_native_contexts: 1,
        number_of_detached_contexts: 0,
        total_global_handles_size: 0,
        used_global_handles_size: 0,
        external_memory: external,
      };
    },
    getHeapSpaceStatistics: () => [],
    getHeapCodeStatistics: () => ({
      code_and_metadata_size: 0,
      bytecode_and_metadata_size: 0,
      external_script_source_size: 0,
      cpu_profiler_metadata_size: 0,
    }),
    setFlagsFromString: () => undefined,
    setHeapSnapshotNearHeapLimit: () => undefined,
    takeCoverage: () => undefined,
    stopCoverage: () => undefined,
    ...refusals('v8'),
    serialize(value: unknown) {
      const { Buffer } = load('buffer');
      return Buffer.from(serialize(value, Buffer.isBuffer).buffer);
    },
    deserialize(bytes: unknown) {
      const { Buffer } = load('buffer');
      const given = ArrayBuffer.isView(bytes) ? bytesIn(bytes) : undefined;
      if (!given) throw argTypeError('buffer', ['Buffer', 'TypedArray', 'DataView'], bytes);
      return deserialize(given, (own) => Buffer.from(own.buffer));
    },
    startupSnapshot: { isBuildingSnapshot: () => false },
  };
};
