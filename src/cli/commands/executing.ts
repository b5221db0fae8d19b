/** The commands that take or build a whole execution: called often, and by other programs, so they load by themselves. */
import type { Command } from '../command.ts'
import { exec } from './exec.ts'
import { screenshot } from './screenshot.ts'
import { snapshot } from './snapshot.ts'

export const EXECUTING: readonly Command[] = [exec, snapshot, screenshot]
