/** The parts of the house that are tried with planted faults: what is changed, and which tests must notice. */

/**
 * @typedef {object} Area
 * @property {readonly string[]} mutate Files that faults are planted in; StrykerJS ends a pattern at each comma.
 * @property {readonly string[]} tests Tests that must notice them, in this process: code of a spawned program has no faults.
 */

/** @type {Readonly<Record<string, Area>>} */
export const AREAS = {
  machines: { mutate: ['machines/**/*.ts'], tests: ['test/machines/**/*.test.ts'] },
  lease: {
    mutate: ['src/runtime/ownership/*.ts'],
    tests: [
      'test/runtime/ownership/!(processes.system).test.ts',
      'test/runtime/journal/@(memory|repair|sqlite).test.ts',
      'test/runtime/@(behind|host|recover).test.ts',
    ],
  },
  journal: {
    mutate: ['src/runtime/journal/*.ts'],
    tests: ['test/runtime/journal/!(faults.system|processes.system|truncation.system|vanished.system).test.ts'],
  },
  runtime: {
    mutate: [
      'src/runtime/!(clock).ts',
      'src/runtime/files/!(lock-file).ts',
      'src/runtime/processes/!(process-list|processes).ts',
    ],
    tests: [
      'test/runtime/!(clock.slow|namespaces|recovery-law.system|replay-law).test.ts',
      'test/runtime/files/!(lock-file.system).test.ts',
      'test/runtime/processes/!(processes).test.ts',
      'test/surfaces/library/found-server.test.ts',
    ],
  },
  wire: {
    mutate: ['src/device/operators/app/wire/*.ts'],
    tests: [
      'test/device/operators/app/wire/*.test.ts',
      'test/device/failures/*.test.ts',
      'test/device/operators/app/session/*.test.ts',
    ],
  },
  delivery: {
    mutate: [
      'src/device/progress.ts',
      'src/device/operators/segment-outcome.ts',
      'src/device/operators/app/@(look|send-segment).ts',
      'src/service/executions/run/!(perform-on-host|dispatch-gate|crash-look|perform-over-app-gestures|check-step).ts',
    ],
    tests: [
      'test/device/@(host-steps|payload-file|port-law|progress).test.ts',
      'test/service/executions/run/!(dispatch-gate|crash-look).test.ts',
      'test/device/failures/*.test.ts',
      'test/device/operators/app/session/*.test.ts',
    ],
  },
  engine: {
    mutate: ['src/device/screen/**/*.ts'],
    tests: [
      'test/device/operators/shell/*.test.ts',
      'test/device/screen/**/*.test.ts',
      'test/service/executions/screens/!(screen-reader).test.ts',
    ],
  },
  executions: {
    mutate: [
      'src/service/executions/*.ts',
      'src/service/executions/actions/*.ts',
      'src/service/executions/validation/*.ts',
      'src/service/executions/waiting/*.ts',
    ],
    tests: [
      'test/service/executions/*.test.ts',
      'test/service/executions/waiting/*.test.ts',
      'test/service/executions/validation/*.test.ts',
      'test/service/policy/!(refuse.system).test.ts',
    ],
  },
  service: {
    mutate: [
      'src/fleet/parcels/*.ts',
      'src/fleet/service/*.ts',
      'src/service/*.ts',
      'src/service/local/*.ts',
      'src/service/parcels/*.ts',
    ],
    tests: [
      'test/service/!(recording.slow|doors-fleet-away.slow|doors-fleet-files.system|doors-fleet.slow).test.ts',
      'test/fleet/parcels/*.test.ts',
      'test/fleet/service/*.test.ts',
      'test/service/parcels/*.test.ts',
      'test/surfaces/http/fleet/*.test.ts',
    ],
  },
  skills: {
    mutate: ['src/service/skills/result/*.ts', 'src/service/skills/run/@(device-gate|finished-run|run-answer).ts'],
    tests: [
      'test/service/skills/result/*.test.ts',
      'test/service/skills/run/@(device-gate.system|failure-message.system|gates.system|outcome-table.system|timeout.system).test.ts',
    ],
  },
  flows: {
    mutate: ['src/service/flows/*.ts', 'src/service/flows/run/*.ts', 'src/service/flows/reports/*.ts'],
    tests: [
      'test/service/flows/@(claim-phone|read-test-run|test-runs).test.ts',
      'test/service/flows/reports/*.test.ts',
      'test/service/flows/run/*.test.ts',
    ],
  },
}
