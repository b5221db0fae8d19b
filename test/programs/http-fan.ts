/** The HTTP app before executions that succeed at once with a hierarchy of so many bytes. Says `ready` and its port. */
import { fakeExecutions, successOf } from '../support/executions/fake-executions.ts'
import { fakeDeps, listen } from '../support/http/http-server.ts'

const text = 'x'.repeat(Number(process.argv[2] ?? 0))
const executions = fakeExecutions()
let ran = 0
executions.answer = request => {
  ran += 1
  executions.requests = []
  return { executionId: `e${ran}`, deviceId: 'd1', result: successOf(request, text) }
}
const { port } = await listen(fakeDeps(executions))
process.stdout.write(`ready\n${port}\n`)
