/** The flat commands that show something on the device. They are loaded by themselves: few calls need their many flags. */
import type { Command } from '../command.ts'
import { commandOf, type FlatCommand } from '../flat/command.ts'
import { clearOnScreenLog, setOnScreenLog, toast } from '../flat/overlay.ts'

/** In the order of the help. */
export const OVERLAY_COMMANDS: readonly FlatCommand[] = [toast, setOnScreenLog, clearOnScreenLog]

export const OVERLAY: readonly Command[] = OVERLAY_COMMANDS.map(commandOf)
