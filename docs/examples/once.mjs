import { connect } from 'svc'

const svc = await connect()
const phone = svc.device()
const order = { id: 'order-1042' }

await phone.open('com.android.settings')
const first = await phone.click('Display', { idempotencyKey: order.id })
const again = await phone.click('Display', { idempotencyKey: order.id })
console.log(first.executionId === again.executionId)

await svc.close()
