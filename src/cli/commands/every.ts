/** Every command of `svc`, in the order in which the help lists them. */
import type { Command } from '../command.ts'
import { EXECUTING } from './executing.ts'
import { FLAT } from './flat.ts'
import { OTHERS } from './others.ts'

export const COMMANDS: readonly Command[] = [...EXECUTING, ...FLAT, ...OTHERS]
