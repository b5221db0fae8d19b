/** The commands that look at the screen: called most often, and by other programs, so they load by themselves. */
import type { Command } from '../command.ts'
import { screenshot } from './screenshot.ts'
import { snapshot } from './snapshot.ts'

export const CAPTURING: readonly Command[] = [snapshot, screenshot]
