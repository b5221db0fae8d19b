/** The dependencies of the MCP server; constructed by the services. */
import type { DeviceRecord } from '../contracts/device.ts'
import type { WithUnanswered } from '../contracts/fleet.ts'
import type { Emulators } from '../emulators/emulators.ts'
import type { Executions } from '../executions/service.ts'
import type { ScreenshotPolicy } from '../operator/job.ts'
import type { Clock } from '../runtime/clock.ts'
import type { Journal } from '../runtime/journal/journal.ts'
import type { Skills } from '../skills/skills.ts'

export interface McpDeps {
  clock: Clock
  journal: Journal
  executions: Executions
  skills: Skills
  emulators: Emulators
  /** Rejects with LinkError when devices cannot be listed. */
  listDevices(signal: AbortSignal): Promise<DeviceRecord[] & WithUnanswered>
  version: string
  /** Undefined when nobody named one: then the device decides. */
  operatorPackage: string | undefined
  /** Calls that name no device get this one, the `--device` of `svc mcp`. It never changes while the server runs. */
  deviceId?: string | undefined
  /** The skill run whose script started this server: what it does is filed under it. */
  skillRunId?: string | undefined
  screenshots: ScreenshotPolicy
  /** The HTTP listener that the calls come through, for its event stream. */
  listener?: string | undefined
  /** A line for a log; never on stdout. */
  note(text: string): void
}
