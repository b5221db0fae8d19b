/** Evaluates a script and leaves without ending its process. With a source of its own it prints the process of its scripts when that logs. */
import { readFileSync } from 'node:fs'
import { systemClock } from '../../src/runtime/clock.ts'
import { createFlowScripts } from '../../src/service/flows/script/scripts.ts'

const [, , program, source = '1 + 1', seed = ''] = process.argv
const printChild = () => console.log(readFileSync(`/proc/self/task/${process.pid}/children`, 'utf8').trim())
const scripts = createFlowScripts({ seed, clock: systemClock(), program, digestOf: text => text })
const answer = await scripts.evaluate(source, { file: '/flow.yaml', line: 1, env: {}, onLog: printChild })
console.log(answer.ok ? answer.text : answer.problem)
