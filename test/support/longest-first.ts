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
  'fleet/events/failures',
  'cli/fleet/failures',
  'fleet/chaos/short',
  'cli/fleet/hosts',
  'fleet/ownership',
  'fleet/cut-off',
  'fleet/exchange/lossy',
  'fleet/exchange/processes',
  'fleet/failures',
  'fleet/exchange/hostile',
  'fleet/cluster',
  'service/doors-fleet',
  'service/doors',
  'install/packages',
  'emulators/broken',
  'viewer/page/actors',
  'skills/surfaces/record',
  'emulators/faults',
  'viewer/page/devices',
  'daemon/builds',
  'daemon/lifecycle',
  'daemon/svc/killed',
  'emulators/tools',
  'emulators/together',
  'executions/execute/faults',
  'daemon/killed',
  'fleet/lab',
  'fixtures/sdk/emulator',
  'viewer/page/api',
  'http/events/subscribers',
  'mcp/stdio/serve',
  'skills/surfaces/on-device',
  'daemon/svc/commands',
  'cli/fleet/commands',
  'runtime/clock',
  'emulators/killed',
  'http/contract',
  'emulators/making',
  'mcp/phone',
  'skills/surfaces/catalogue',
  'fleet/safety',
  'executions/execute/uiautomator',
  'cli/interrupted',
  'service/doors-fleet-away',
  'fleet/events/http',
  'cli/skills',
  'simulator/real-adb-states',
  'skills/surfaces/outcomes',
  'http/two-servers',
  'cli/loaded',
  'http/protocol',
  'daemon/svc/interrupted',
  'operator/over-simulator',
  'cli/serve',
  'cli/operator',
  'cli/output',
  'fleet/hosts',
  'emulators/provision',
  'daemon/suspended',
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
