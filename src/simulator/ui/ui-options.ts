/** The surroundings of the screen of a simulated phone, as far as it has them. */
import type { Clock } from '../../runtime/clock.ts'
import type { AppEvent } from '../app-events.ts'
import type { PhonePermissions } from '../permissions.ts'
import type { Clipboard } from '../phone-parts.ts'
import type { Metrics } from '../render/typesetting.ts'
import type { Scenario } from '../scenario/scenario.ts'
import type { ShownNotifications } from './foreground.ts'
import type { Layouts } from './layout-cache.ts'
import type { Turning } from './rotation.ts'

export interface UiOptions {
  scenario: Scenario
  /** The device's clock, which may run at its own speed. */
  clock: Clock
  /** The metrics of the phone as it was built. */
  metrics: Metrics
  /** Left out, the screen stays upright. */
  turning?: Turning
  /** May be shared with other phones. */
  layouts: Layouts
  clipboard?: Pick<Clipboard, 'get'>
  toast(text: string): void
  /** Left out, nobody is asked for any. */
  permissions?(): PhonePermissions
  /** Told what apps do beside their screens; nobody listens where it is left out. */
  tell?(event: AppEvent): void
  /** The notifications that the shade shows. */
  notifications?: ShownNotifications
}
