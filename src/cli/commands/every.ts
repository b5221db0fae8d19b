/** Every command of `svc`, in the order in which the help lists them. */
import type { Command } from '../command.ts'
import { CAPTURING } from './capturing.ts'
import { exec } from './exec.ts'
import { FLAT } from './flat.ts'
import { OTHERS } from './others.ts'
import { SKILLS } from './skills.ts'

export const COMMANDS: readonly Command[] = [exec, ...CAPTURING, ...FLAT, ...SKILLS, ...OTHERS]
