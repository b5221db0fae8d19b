/** Actions on the settings of a device. Each reads the device first and leads to the same state when it runs again; the state before is in the journal. */
import { parsedJson } from '../../json/json.ts'
import type { Cards } from '../card.ts'
import { asParams, asText, cut, join, ofApp } from '../words.ts'

/** Writes a value of a setting as the command line takes it: `15,ac`, `48.85,2.35`. */
const settingWords = (value = ''): string => {
  const { level, plugged, latitude, longitude } = asParams(parsedJson(value))
  return [level, plugged, latitude, longitude].filter(part => part !== undefined && part !== null).join(',') || value
}

/** A list in JSON as words. */
const listWords = (text: string): string => {
  const all = parsedJson(text)
  return Array.isArray(all) ? all.join(', ') : text
}

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
    done: ({ setting, value, previous }) =>
      join(
        'Set',
        setting,
        'to',
        `${settingWords(value)},`,
        previous === 'null' ? 'which was not set' : `which was ${settingWords(previous)}`,
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
    done: ({ restored, left = '[]' }) =>
      join(
        restored === '0' ? 'Put nothing back' : `Put back ${restored} ${restored === '1' ? 'change' : 'changes'}`,
        left === '[]' ? '' : `and left ${listWords(left)}, changed by somebody else since`,
      ),
  },
} as const satisfies Partial<Cards>
