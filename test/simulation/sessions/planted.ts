/** Defects of WebDriver sessions that the profile of sessions must find, one replaced line each. */
import type { Planted } from '../planted/planted.ts'

export const PLANTED_IN_SESSIONS: readonly Planted[] = [
  {
    profile: 'sessions',
    law: 4,
    name: 'a session ends without giving its phone back',
    file: 'src/surfaces/webdriver/session/session-ports.ts',
    from: 'if (leaseId === null) return void',
    to: 'if (leaseId !== undefined) return void',
    seed: 1,
  },
  {
    profile: 'sessions',
    law: 7,
    name: 'silence of its client does not end a session',
    file: 'src/surfaces/webdriver/session/session-ports.ts',
    from: 'if (idleMs === 0) return',
    to: 'if (idleMs >= 0) return',
    seed: 2,
  },
  {
    profile: 'sessions',
    law: 7,
    name: 'a session of which an event was lost stays open',
    file: 'src/surfaces/webdriver/session/end-of-session.ts',
    from: '  deps.sessions.delete(sessionId)\n',
    to: '',
    seed: 22,
  },
  {
    profile: 'sessions',
    law: 7,
    name: 'the end of a command that was not recorded is forgotten',
    file: 'src/surfaces/webdriver/session/sessions.ts',
    from: 'await pause(clock, RECORD_AGAIN_MS, ended.signal)',
    to: 'return',
    seed: 1660,
  },
]
