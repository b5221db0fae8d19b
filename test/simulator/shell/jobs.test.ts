import { expect, test } from 'vitest'
import { runIn, shellOf } from '../../support/device/shell-run.ts'
import { phoneOf } from '../../support/simulator/simulated-phone.ts'

const shell = () => shellOf(phoneOf())

test('a job runs beside the line, which waits only when it is told to', async () => {
  const { out } = await runIn(shell(), '(sleep 0.05; echo job) & echo line; wait; echo end')
  expect(out).toBe('line\njob\nend\n')
})

test('the number of the last job, and its exit code', async () => {
  const { out, code } = await runIn(shell(), 'false & p=$!; [ $p -gt 1 ] && echo number; wait $p')
  expect({ out, code }).toEqual({ out: 'number\n', code: 1 })
})

test('what && joins goes to the background as a whole', async () => {
  const { out } = await runIn(shell(), 'sleep 0.05 && echo late & echo early; wait')
  expect(out).toBe('early\nlate\n')
})

test('kill says when nobody has the number', async () => {
  expect(await runIn(shell(), 'kill -INT 99999')).toMatchObject({ code: 1, err: 'kill: 99999: No such process\n' })
  expect(await runIn(shell(), 'kill -WHAT 1')).toMatchObject({ code: 1, err: 'kill: WHAT: bad signal\n' })
})

test('df tells the free space', async () => {
  const { out } = await runIn(shell(), 'df /data/local/tmp')
  expect(out).toMatch(/^Filesystem +1K-blocks +Used +Available Use% Mounted on\n\S+ +262144 +\d+ +\d+ +\d+% \/data\n$/)
})
