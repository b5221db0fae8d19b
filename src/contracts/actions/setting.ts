/** Actions on the settings of the device: change_setting, restore_settings. */
import * as v from 'valibot'
import { SETTING_NAMES } from '../device/setting-names.ts'
import { AnySettingValue, readSettingValue, SETTING_FORMS } from '../device/settings.ts'
import { closedObject } from '../json/objects.ts'
import { nonBlank } from '../json/scalars.ts'
import { action } from './shape.ts'

/** Only the language is one of an application. */
const OF_AN_APP = 'locale'

export const SETTING_ACTIONS = [
  action(
    'change_setting',
    v.pipe(
      closedObject({
        setting: v.picklist(SETTING_NAMES),
        value: AnySettingValue,
        applicationId: v.exactOptional(nonBlank),
        force: v.exactOptional(v.boolean(), false),
      }),
      v.metadata(SETTING_FORMS),
      v.rawCheck(({ dataset, addIssue }) => {
        if (!dataset.typed) return
        const { setting, value, applicationId } = dataset.value
        const issue = (key: 'value' | 'applicationId', message: string) =>
          addIssue({
            message,
            path: [{ type: 'object', origin: 'value', input: dataset.value, key, value: dataset.value[key] }],
          })
        const read = readSettingValue(setting, value)
        if (!read.ok) issue('value', read.problem)
        if (applicationId !== undefined && setting !== OF_AN_APP) {
          issue('applicationId', `must be left out for ${setting}: only ${OF_AN_APP} is a setting of one application`)
        }
      }),
      v.transform(params => {
        const read = readSettingValue(params.setting, params.value)
        return read.ok ? { ...params, value: read.value } : params
      }),
    ),
  ),
  action(
    'restore_settings',
    v.exactOptional(
      closedObject({
        /** Only changes of these settings; without it all that svc changed, permissions too. */
        settings: v.exactOptional(v.pipe(v.array(v.picklist(SETTING_NAMES)), v.minLength(1))),
      }),
    ),
  ),
] as const
