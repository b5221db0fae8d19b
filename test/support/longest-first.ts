/** The order in which files are begun: the longest first, for one that begins last keeps everybody waiting at the end. */
import { existsSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { BaseSequencer, type TestSpecification } from 'vitest/node'

/**
 * Of those that last longer than eight seconds by themselves. Those that mostly wait and those that mostly compute take turns,
 * so that there is always something to compute. A checkout that is new has no times of its own.
 */
const LONGEST = [
  'statecharts/outputs',
  'fleet/events/failures.slow',
  'surfaces/cli/fleet/failures.slow',
  'fleet/chaos/short.slow',
  'surfaces/cli/fleet/hosts.slow',
  'fleet/ownership.slow',
  'fleet/cut-off.slow',
  'fleet/exchange/lossy.slow',
  'fleet/exchange/processes.slow',
  'fleet/failures.slow',
  'fleet/exchange/hostile.slow',
  'fleet/cluster.slow',
  'service/doors-fleet.slow',
  'service/doors.system',
  'service/install/packages.slow',
  'service/emulators/broken.slow',
  'surfaces/viewer/actors.slow',
  'service/skills/surfaces/record.slow',
  'service/emulators/faults.slow',
  'surfaces/viewer/devices.slow',
  'surfaces/daemon/builds.slow',
  'surfaces/daemon/lifecycle.slow',
  'surfaces/daemon/svc/killed.slow',
  'service/emulators/tools.slow',
  'service/emulators/together.slow',
  'surfaces/daemon/killed.slow',
  'fleet/lab.slow',
  'fixtures/sdk/emulator.slow',
  'surfaces/viewer/api.slow',
  'surfaces/http/events/subscribers.alone.slow',
  'surfaces/mcp/stdio/serve.slow',
  'service/skills/surfaces/on-device.slow',
  'surfaces/daemon/svc/commands.system',
  'surfaces/cli/fleet/commands.slow',
  'runtime/clock.slow',
  'service/emulators/killed.slow',
  'surfaces/http/contract.system',
  'service/emulators/making.slow',
  'surfaces/mcp/phone.system',
  'service/skills/surfaces/catalogue.slow',
  'fleet/ownership/safety.slow',
  'service/executions/execute/uiautomator.slow',
  'surfaces/cli/executions/interrupted.system',
  'service/doors-fleet-away.slow',
  'fleet/events/http.slow',
  'surfaces/cli/skills/skills.system',
  'simulator/real-adb-states.slow',
  'service/skills/surfaces/outcomes.slow',
  'surfaces/http/two-servers.slow',
  'surfaces/cli/executions/loaded.slow',
  'surfaces/http/protocol.system',
  'surfaces/daemon/svc/interrupted.system',
  'device/over-simulator.system',
  'surfaces/cli/daemon/serve.system',
  'surfaces/cli/operator/operator.system',
  'surfaces/cli/output.system',
  'fleet/hosts.slow',
  'service/emulators/provision.slow',
  'surfaces/daemon/suspended.system',
].map(name => fileURLToPath(new URL(`../${name}.test.ts`, import.meta.url)))

const gone = LONGEST.filter(path => !existsSync(path))
if (gone.length > 0) throw new Error(`test/support/longest-first.ts names files that are not there: ${gone.join(', ')}`)

/** Files with a process each come first: one between two others would end the process that those share. */
const rank = ({ moduleId, project }: TestSpecification): number => {
  if (project.config.isolate) return -1
  const at = LONGEST.indexOf(moduleId)
  return at < 0 ? LONGEST.length : at
}

export class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    return (await super.sort(files)).toSorted((one, other) => rank(one) - rank(other))
  }
}
