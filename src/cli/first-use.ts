/** Greets a new user, once: after the command that made the home, on a terminal only. Scripts see nothing. */
import { isatty } from 'node:tty'
import type { Command } from './command.ts'

const STDERR = 2

/** These say themselves what comes next. */
const SILENT = ['install', 'uninstall', 'host', 'authoring-skills', 'completion']

const HINT = `svc: this is your first use; everything is kept in ~/.svc. Next: "svc install" sets svc up for agents ("--dry-run" shows
what it would write), "svc doctor" checks this host and the devices, "svc --help" lists the commands.`

export const firstUseHint = ({ path: [word = ''], internal }: Command): string | undefined =>
  internal || SILENT.includes(word) || !isatty(STDERR) ? undefined : HINT
