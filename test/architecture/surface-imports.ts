/** The imports of surfaces into devices and the simulator: a surface asks the service, so none may be added. */

/** Phones are simulated for whoever asks in this process, and scenarios are made and checked there: no service has a simulator. */
export const INTO_SIMULATOR: readonly string[] = [
  'src/surfaces/cli/journal/from-dump.ts -> src/simulator/from-dump/from-dump.ts',
  'src/surfaces/cli/journal/simulation.ts -> src/simulator/scenario/device.ts',
  'src/surfaces/cli/journal/simulation.ts -> src/simulator/scenario/fault.ts',
  'src/surfaces/cli/journal/simulation.ts -> src/simulator/scenario/json-schema.ts',
  'src/surfaces/cli/journal/simulation.ts -> src/simulator/scenario/scenario.ts',
  'src/surfaces/cli/journal/simulation.ts -> src/simulator/simulated-phones.ts',
  'src/surfaces/cli/skills/record.ts -> src/simulator/from-recording/rehearsed-scenario.ts',
  'src/surfaces/cli/test/simulated.ts -> src/simulator/from-dump/read-dump.ts',
  'src/surfaces/cli/test/simulated.ts -> src/simulator/scenario/scenario.ts',
  'src/surfaces/cli/test/simulated.ts -> src/simulator/simulated-phones.ts',
  'src/surfaces/command-parts.ts -> src/simulator/services.ts',
  'src/surfaces/library/start-phones.ts -> src/simulator/scenario/scenario.ts',
  'src/surfaces/library/start-phones.ts -> src/simulator/simulated-phones.ts',
]

/** The viewer is a page: it shows in the browser which node a matcher means, by the code that actions are matched with. */
export const INTO_DEVICES: readonly string[] = [
  'src/surfaces/viewer/devices/device-detail.tsx -> src/device/screen/search.ts',
  'src/surfaces/viewer/devices/matcher-for.ts -> src/device/screen/search.ts',
  'src/surfaces/viewer/devices/screen.tsx -> src/device/screen/parse-hierarchy.ts',
  'src/surfaces/viewer/devices/touch.tsx -> src/device/screen/scroll-gesture.ts',
  'src/surfaces/viewer/devices/touch.tsx -> src/device/screen/search.ts',
]
