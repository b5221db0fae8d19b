/** The way from the quick half of the command line, in CommonJS, to the heavy one, in ES modules. */
import type { Heavy } from './command.ts'

export const loadApp = (): Promise<Heavy> => import('./app.ts')
