/** Actions in a page of a web view. */
import type { ActionType } from '../../executions/action.ts'
import type { AnyParams, Cards } from '../card.ts'
import { asText, cut, join, ofApp, pageElementWords } from '../words.ts'
import { PAGE_FAILURES, STALE } from './failures.ts'

/** Documents at other addresses are a script of the caller, a file of the phone, or what an app makes of its own address. */
const PLAIN_ADDRESS = /^(?:https?:|about:blank$)/i

/** To change a page is what touches and keys would do in it, or a link. */
const CHANGES = ['open_uri', 'click', 'enter_text', 'erase_text', 'press_key'] as const satisfies readonly ActionType[]
const READS = ['snapshot', 'read_text', 'read_key_value_pair'] as const satisfies readonly ActionType[]

const READ_WORDS: Readonly<Record<string, string>> = { pages: 'which pages there are' }
const CHANGE_WORDS: Readonly<Record<string, string>> = {
  navigate: 'Open in the page',
  back: 'Go back in the page',
  forward: 'Go forward in the page',
  reload: 'Reload the page',
}
/** With what is changed where no label names it. */
const ELEMENT_CHANGES: Readonly<Record<string, readonly [verb: string, otherwise: string]>> = {
  clear: ['Clear', 'a field'],
  choose: ['Choose', 'an option'],
}

const CHANGED_PAGE: Readonly<Record<string, string>> = {
  navigate: 'Opened an address in the page',
  back: 'Went back in the page',
  forward: 'Went forward in the page',
  reload: 'Loaded the page again',
  clear: 'Cleared a field of the page',
  choose: 'Chose an option of the page',
}

const changeWords = (params: AnyParams): string => {
  const change = asText(params.change)
  const [verb, otherwise] = ELEMENT_CHANGES[change] ?? []
  if (verb !== undefined && otherwise !== undefined) return join(verb, pageElementWords(params, otherwise))
  const target = change === 'navigate' ? cut(asText(params.uri)) : ''
  return join(CHANGE_WORDS[change] ?? 'Change the page', target)
}

export const PAGE_CARDS = {
  read_page: {
    effect: 'looks',
    repeat: 'safe',
    by: 'link',
    touchesFront: false,
    appOf: ({ applicationId }) => applicationId,
    hasUnknownApp: ({ applicationId }) => applicationId === undefined,
    contains: READS,
    data: ['answer'],
    failures: [...PAGE_FAILURES, STALE],
    words: ({ read, applicationId }) => join('Read', READ_WORDS[asText(read)] ?? 'the page', ofApp(applicationId)),
    done: () => 'Read the page',
  },
  change_page: {
    effect: 'acts',
    repeat: 'never',
    by: 'link',
    touchesFront: false,
    appOf: ({ applicationId }) => applicationId,
    contains: CHANGES,
    adds: ({ uri }) => (PLAIN_ADDRESS.test(uri ?? 'http:') ? {} : { optional: ['page_script'] }),
    // A change that did not end in time has done what it came to.
    mayActAndFail: () => true,
    data: ['change'],
    failures: [...PAGE_FAILURES, STALE, 'NAVIGATION_TIMEOUT'],
    words: changeWords,
    done: ({ change }) => CHANGED_PAGE[change ?? ''] ?? 'Changed the page',
  },
  page_script: {
    effect: 'acts',
    repeat: 'never',
    by: 'link',
    touchesFront: false,
    appOf: ({ applicationId }) => applicationId,
    // A script can do all that, and reads the page as well.
    contains: [...CHANGES, 'change_page', 'read_page', ...READS],
    mayActAndFail: () => true,
    data: ['value'],
    failures: [...PAGE_FAILURES, 'PAGE_SCRIPT_FAILED', STALE],
    words: ({ applicationId }) => join('Run a script in the page', ofApp(applicationId)),
    done: () => 'Ran a script in the page',
  },
} as const satisfies Partial<Cards>
