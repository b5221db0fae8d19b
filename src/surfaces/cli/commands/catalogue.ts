/** Loads the commands in parts, so that a call loads only the module that has its command. */
import type { Command } from '../command.ts'

interface Part {
  /** The first words of its commands; a test compares them with the commands themselves. */
  words: readonly string[]
  load(): Promise<readonly Command[]>
}

/** In the order in which the help lists them. */
export const PARTS: readonly Part[] = [
  { words: ['exec'], load: async () => [(await import('./exec.ts')).exec] },
  { words: ['snapshot', 'screenshot'], load: async () => (await import('./screen.ts')).screen },
  {
    words: [
      'open',
      'close',
      'click',
      'type',
      'press',
      'back',
      'swipe',
      'scroll',
      'scroll-until',
      'read',
      'read-value',
      'wait',
      'wait-for-nav',
      'sleep',
    ],
    load: async () => (await import('./flat.ts')).FLAT,
  },
  {
    words: ['double-tap', 'drag', 'pinch', 'hide-keyboard', 'shade', 'dialog'],
    load: async () => (await import('./gestures.ts')).GESTURES,
  },
  { words: ['shell', 'clipboard'], load: async () => (await import('./phone.ts')).PHONE },
  { words: ['toast', 'on-screen-log'], load: async () => (await import('./overlay.ts')).OVERLAY },
  { words: ['test'], load: async () => [(await import('./test.ts')).test] },
  { words: ['skills'], load: async () => (await import('./skills.ts')).SKILLS },
  { words: ['devices', 'device'], load: async () => (await import('./devices.ts')).devices },
  { words: ['lease'], load: async () => (await import('./lease.ts')).lease },
  { words: ['record'], load: async () => (await import('./record.ts')).record },
  { words: ['apps'], load: async () => (await import('./apps.ts')).APPS },
  { words: ['files'], load: async () => (await import('./files.ts')).FILES },
  { words: ['settings'], load: async () => (await import('./settings.ts')).SETTINGS },
  { words: ['logs', 'notifications'], load: async () => (await import('./logs.ts')).LOGS },
  { words: ['forward', 'reverse'], load: async () => (await import('./ports.ts')).PORTS },
  { words: ['perf'], load: async () => (await import('./perf.ts')).PERF },
  { words: ['emulators'], load: async () => (await import('./emulators.ts')).emulators },
  { words: ['operator'], load: async () => (await import('./operator.ts')).operator },
  { words: ['executions'], load: async () => (await import('./executions.ts')).executions },
  { words: ['watch'], load: async () => [(await import('./watch.ts')).watch] },
  { words: ['inspect'], load: async () => [(await import('./watch.ts')).inspect] },
  { words: ['serve'], load: async () => [(await import('./serve.ts')).serve] },
  { words: ['webdriver'], load: async () => [(await import('./webdriver.ts')).webdriver] },
  { words: ['fleet'], load: async () => (await import('./fleet.ts')).fleet },
  { words: ['mcp'], load: async () => [(await import('./mcp.ts')).mcp] },
  { words: ['daemon'], load: async () => (await import('./daemon.ts')).daemon },
  { words: ['simulate'], load: async () => (await import('./simulate.ts')).simulate },
  { words: ['doctor'], load: async () => [(await import('./doctor.ts')).doctor] },
  { words: ['journal'], load: async () => (await import('./journal.ts')).journal },
  {
    words: ['install', 'uninstall', 'authoring-skills', 'host', 'upgrade'],
    load: async () => (await import('./install.ts')).INSTALL,
  },
  { words: ['completion', '__complete'], load: async () => (await import('./completion.ts')).completion },
  { words: ['help'], load: async () => [(await import('./help.ts')).help] },
]

export const catalogue = {
  /** The part in which commands begin with this word; undefined for a word that it does not know. */
  part: async (word: string): Promise<readonly Command[] | undefined> =>
    PARTS.find(({ words }) => words.includes(word))?.load(),
  all: async (): Promise<readonly Command[]> => (await Promise.all(PARTS.map(({ load }) => load()))).flat(),
}

export type Catalogue = typeof catalogue
