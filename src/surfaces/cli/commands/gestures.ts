/** The flat commands of gestures and of what the system lies over applications. */
import type { Command } from '../command.ts'
import { commandOf, type FlatCommand } from '../flat/command.ts'
import { doubleTap, drag, pinch } from '../flat/gestures.ts'
import { dialog, hideKeyboard, shade } from '../flat/system.ts'

/** In the order of the help. */
export const GESTURE_COMMANDS: readonly FlatCommand[] = [doubleTap, drag, pinch, hideKeyboard, shade, dialog]

export const GESTURES: readonly Command[] = GESTURE_COMMANDS.map(commandOf)
