/** change_setting and restore_settings. */
import { permissionsToRestore } from '../apps/set-permission.ts'
import { changeSetting } from '../settings/change-setting.ts'
import { restoreSettings } from '../settings/restore-settings.ts'
import type { Performers } from './performer.ts'

export const SETTING_STEPS = {
  change_setting: { link: changeSetting },
  restore_settings: {
    link: (params, options) => restoreSettings(options, permissionsToRestore(options), params?.settings),
  },
} as const satisfies Partial<Performers>
