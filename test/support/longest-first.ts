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
  'http/events/subscribers',
  'fleet/events/failures',
  'skills/surfaces/record',
  'cli/fleet/failures',
  'fleet/chaos/short',
  'cli/fleet/hosts',
  'fleet/ownership',
  'install/packages',
  'emulators/broken',
  'viewer/page/devices',
  'fleet/cut-off',
  'daemon/svc/killed',
  'emulators/faults',
  'emulators/tools',
  'executions/execute/faults',
  'emulators/together',
  'daemon/builds',
  'fixtures/sdk/emulator',
  'fleet/exchange/lossy',
  'daemon/svc/commands',
  'runtime/clock',
  'skills/surfaces/outcomes',
  'mcp/stdio/serve',
  'daemon/lifecycle',
  'simulator/real-adb-states',
  'fleet/exchange/processes',
  'daemon/cold-start',
  'fleet/events/http',
  'fleet/failures',
  'executions/execute/four-ways',
  'cli/fleet/commands',
  'fleet/exchange/hostile',
  'emulators/killed',
  'http/contract',
  'cli/operator',
  'fleet/safety',
  'skills/surfaces/on-device',
  'fleet/cluster',
  'skills/surfaces/catalogue',
  'cli/journal-damage',
  'emulators/making',
  'executions/execute/uiautomator',
  'install/install',
].map(name => fileURLToPath(new URL(`../${name}.test.ts`, import.meta.url)))

const gone = LONGEST.filter(path => !existsSync(path))
if (gone.length > 0) throw new Error(`test/support/longest-first.ts names files that are not there: ${gone.join(', ')}`)

const rank = ({ moduleId }: TestSpecification): number => {
  const at = LONGEST.indexOf(moduleId)
  return at < 0 ? LONGEST.length : at
}

export class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    return (await super.sort(files)).toSorted((one, other) => rank(one) - rank(other))
  }
}
