/** The HTTP app before executions that succeed at once with a hierarchy of so many bytes. Says `ready` and its port. */
import { fakeExecutions, successOf } from '../support/fake-executions.ts'
import { fakeDeps, listen } from '../support/http-server.ts'

const text = 'x'.repeat(Number(process.argv[2] ?? 0))
const executions = fakeExecutions()
executions.answer = request => {
  executions.requests = []
  return { executionId: request.executionId ?? '', deviceId: 'd1', result: successOf(request, text) }
}
const { port } = await listen(fakeDeps(executions))
process.stdout.write(`ready\n${port}\n`)
