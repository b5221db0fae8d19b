/** The parts of svc that raise failures; the documentation has a heading for each. */

export type FailureLayer =
  | 'route'
  | 'execution'
  | 'envelope'
  | 'skills'
  | 'emulators'
  | 'recordings'
  | 'flows'
  | 'daemon'
  | 'library'
  | 'cli'
  | 'serve'
  | 'journal'
  | 'install'
  | 'fleet'
