/** The commands of a session beside elements, screen and session itself. */
import { ACTION_COMMANDS } from './actions.ts'
import { ALERT_COMMANDS } from './alert.ts'
import { APPIUM_APP_COMMANDS } from './appium-apps.ts'
import { APPIUM_DEVICE_COMMANDS } from './appium-device.ts'
import { APPIUM_SETTING_COMMANDS } from './appium-settings.ts'
import type { SessionCommand } from './command.ts'
import { CONTEXT_COMMANDS } from './contexts.ts'
import { LOG_COMMANDS } from './logs.ts'
import { ORIENTATION_COMMANDS } from './orientation.ts'
import { RECORDING_COMMANDS } from './recordings.ts'
import { SCRIPT_COMMANDS } from './script.ts'

export const FURTHER_COMMANDS: readonly SessionCommand[] = [
  ...ACTION_COMMANDS,
  ...SCRIPT_COMMANDS,
  ...ALERT_COMMANDS,
  ...ORIENTATION_COMMANDS,
  ...CONTEXT_COMMANDS,
  ...APPIUM_APP_COMMANDS,
  ...APPIUM_DEVICE_COMMANDS,
  ...APPIUM_SETTING_COMMANDS,
  ...LOG_COMMANDS,
  ...RECORDING_COMMANDS,
]
