/** All `mobile:` methods. */
import { getContexts } from '../commands/contexts.ts'
import { ACTIVITY_METHODS } from './activities.ts'
import { APP_METHODS } from './apps.ts'
import { AREA_METHODS } from './area-gestures.ts'
import { CLIPBOARD_METHODS } from './clipboard.ts'
import { DEVICE_METHODS } from './device.ts'
import { FILE_METHODS } from './files.ts'
import { KEY_METHODS } from './keys.ts'
import type { DescribedMethod } from './mobile-method.ts'
import { PERMISSION_METHODS } from './permissions.ts'
import { RECORDING_METHODS } from './recording.ts'
import { SCROLL_METHODS } from './scrolling.ts'
import { SETTING_METHODS } from './settings.ts'
import { SYSTEM_METHODS } from './system-windows.ts'
import { TOUCH_METHODS } from './touch-gestures.ts'

export const MOBILE_METHODS: readonly DescribedMethod[] = [
  ...APP_METHODS,
  ...ACTIVITY_METHODS,
  ...PERMISSION_METHODS,
  ...KEY_METHODS,
  ...TOUCH_METHODS,
  ...AREA_METHODS,
  ...SCROLL_METHODS,
  ...CLIPBOARD_METHODS,
  ...FILE_METHODS,
  ...DEVICE_METHODS,
  ...SETTING_METHODS,
  ...SYSTEM_METHODS,
  ...RECORDING_METHODS,
  getContexts,
]
