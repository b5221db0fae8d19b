/** The order in which files are begun: the longest first, for one that begins last keeps everybody waiting at the end. */
import { existsSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { BaseSequencer, type TestSpecification } from 'vitest/node'

/** Of those that last longer than ten seconds on two cores. A checkout that is new has no times of its own. */
const LONGEST = [
  'fleet/events/failures',
  'fleet/chaos/short',
  'cli/fleet/failures',
  'cli/fleet/hosts',
  'fleet/exchange/processes',
  'fleet/safety',
  'demo/fleet',
  'fleet/ownership',
  'fleet/failures',
  'fleet/lab',
  'fleet/exchange/lossy',
  'fleet/events/http',
  'cli/fleet/commands',
  'http/events/subscribers',
  'emulators/broken',
  'daemon/svc/killed',
  'demo/inspect',
  'skills/surfaces/outcomes',
  'skills/surfaces/catalogue',
  'executions/execute/uiautomator',
  'viewer/page/devices',
  'emulators/tools',
  'skills/surfaces/record',
  'emulators/together',
  'mcp/phone',
  'cli/operator',
  'daemon/builds',
  'executions/execute/faults',
  'fixtures/sdk/emulator',
  'emulators/faults',
  'daemon/lifecycle',
  'daemon/svc/commands',
  'mcp/stdio',
  'daemon/cold-start',
  'install/install',
  'install/packages',
  'simulator/real-adb-states',
  'skills/surfaces/on-device',
  'cli/flat-commands',
  'http/contract',
  'emulators/making',
  'emulators/killed',
  'statecharts/outputs',
  'runtime/clock',
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
