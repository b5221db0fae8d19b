/** Evaluates a script and leaves without ending its process. */
import { createFlowScripts } from '../../src/flows/script/scripts.ts'
import { systemClock } from '../../src/runtime/clock.ts'

const scripts = createFlowScripts({ seed: '', clock: systemClock(), program: process.argv[2], digestOf: text => text })
const answer = await scripts.evaluate('1 + 1', { file: '/flow.yaml', line: 1, env: {} })
console.log(answer.ok ? answer.text : answer.problem)
