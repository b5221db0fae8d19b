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
    mutate: ['src/runtime/lease/*.ts'],
    tests: [
      'test/runtime/lease/{renewal,settling}.test.ts',
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
      'test/client/found-server.test.ts',
    ],
  },
  wire: {
    mutate: ['src/operator/wire/*.ts'],
    tests: ['test/operator/wire/*.test.ts', 'test/operator/{failures,session}/*.test.ts'],
  },
  delivery: {
    mutate: ['src/operator/@(deliver|delivery|job|execution-run|execution-answer|operator-port|progress).ts'],
    tests: [
      'test/operator/{job,execution-run,operator-port,port-law,progress,payload-file,host-steps,by-link}.test.ts',
      'test/operator/{failures,session}/*.test.ts',
    ],
  },
  engine: {
    mutate: ['src/operator/engine/**/*.ts'],
    tests: [
      'test/operator/{engine,shell}/**/*.test.ts',
      'test/operator/screens/!(screen-reader).test.ts',
      'test/contracts/label-pattern.test.ts',
    ],
  },
  executions: {
    mutate: ['src/executions/**/*.ts'],
    tests: ['test/executions/*.test.ts', 'test/executions/validation/*.test.ts', 'test/policy/!(refuse).test.ts'],
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
    mutate: ['src/skills/result/*.ts', 'src/skills/run/@(finished-run|run-answer|device-gate).ts'],
    tests: [
      'test/skills/result/*.test.ts',
      'test/skills/run/{outcome-table,failure-message,device-gate,gates,timeout}.test.ts',
    ],
  },
  flows: {
    mutate: ['src/flows/*.ts', 'src/flows/run/*.ts', 'src/flows/reports/*.ts'],
    tests: ['test/flows/{own-phone,read-test-run,test-runs}.test.ts', 'test/flows/{run,reports}/*.test.ts'],
  },
}
