/** Actions on the settings of a device. Each reads the device first and leads to the same state when it runs again; the state before is in the journal. */
import type { Cards } from '../card.ts'
import { asText, cut, join, ofApp } from '../words.ts'

export const SETTING_CARDS = {
  change_setting: {
    effect: 'acts',
    repeat: 'safe',
    by: 'link',
    touchesFront: false,
    appOf: ({ applicationId }) => applicationId,
    data: ['setting', 'value', 'previous'],
    failures: ['SETTING_REFUSED'],
    words: ({ setting, value, applicationId }) =>
      join(
        'Set',
        asText(setting),
        'to',
        cut(typeof value === 'string' ? value : JSON.stringify(value ?? '')),
        ofApp(applicationId),
      ),
  },
  restore_settings: {
    effect: 'acts',
    repeat: 'safe',
    by: 'link',
    touchesFront: false,
    // To put settings back changes them.
    contains: ['change_setting', 'set_permission'],
    data: ['restored', 'left'],
    failures: ['SETTING_REFUSED'],
    words: () => 'Put the settings back',
  },
} as const satisfies Partial<Cards>
