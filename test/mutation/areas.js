/** The parts of the house that are tried with planted faults: what is changed, and which tests must notice. */

/**
 * @typedef {object} Area
 * @property {readonly string[]} mutate Files that faults are planted in; StrykerJS ends a pattern at each comma.
 * @property {readonly string[]} tests Tests that must notice them, in this process: code of a spawned program has no faults.
 */

/** @type {Readonly<Record<string, Area>>} */
export const AREAS = {
  machines: { mutate: ['machines/*.ts'], tests: ['test/machines/*.test.ts'] },
  lease: {
    mutate: ['src/runtime/ownership/*.ts'],
    tests: [
      'test/runtime/ownership/{renewal,settling}.test.ts',
      'test/runtime/journal/{memory,sqlite,repair}.test.ts',
      'test/runtime/{host,recover,behind}.test.ts',
    ],
  },
  journal: {
    mutate: ['src/runtime/journal/*.ts'],
    tests: ['test/runtime/journal/!(processes|faults|truncation|vanished).test.ts'],
  },
  runtime: {
    mutate: ['src/runtime/!(clock|lock-file|processes|process-list).ts'],
    tests: [
      'test/runtime/!(clock|lock-file|namespaces|processes|recovery-law|replay-law).test.ts',
      'test/surfaces/library/found-server.test.ts',
    ],
  },
  wire: {
    mutate: ['src/device/operators/app/wire/*.ts'],
    tests: ['test/device/operators/app/wire/*.test.ts', 'test/operator/{failures,session}/*.test.ts'],
  },
  delivery: {
    mutate: ['src/operator/@(deliver|delivery|job|execution-run|execution-answer|operator-port|progress).ts'],
    tests: [
      'test/operator/{job,execution-run,operator-port,port-law,progress,payload-file,host-steps,by-link}.test.ts',
      'test/operator/{failures,session}/*.test.ts',
    ],
  },
  engine: {
    mutate: ['src/device/screen/**/*.ts'],
    tests: [
      'test/operator/{engine,shell}/**/*.test.ts',
      'test/service/executions/screens/!(screen-reader).test.ts',
      'test/contracts/label-pattern.test.ts',
    ],
  },
  executions: {
    mutate: ['src/service/executions/**/*.ts'],
    tests: [
      'test/service/executions/*.test.ts',
      'test/service/executions/validation/*.test.ts',
      'test/service/policy/!(refuse).test.ts',
    ],
  },
  service: {
    mutate: ['src/service/**/*.ts'],
    tests: [
      'test/service/!(doors-fleet|doors-fleet-*).test.ts',
      'test/service/{fleet,parcels}/*.test.ts',
      'test/http/fleet/{conditions,lists,placing,resuming}.test.ts',
    ],
  },
  skills: {
    mutate: ['src/service/skills/result/*.ts', 'src/service/skills/run/@(finished-run|run-answer|device-gate).ts'],
    tests: [
      'test/service/skills/result/*.test.ts',
      'test/skills/run/{outcome-table,failure-message,device-gate,gates,timeout}.test.ts',
    ],
  },
  flows: {
    mutate: ['src/service/flows/*.ts', 'src/service/flows/run/*.ts', 'src/service/flows/reports/*.ts'],
    tests: [
      'test/service/flows/{own-phone,read-test-run,test-runs}.test.ts',
      'test/service/flows/{run,reports}/*.test.ts',
    ],
  },
}
