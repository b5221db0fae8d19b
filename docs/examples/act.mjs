import { connect } from 'svc'

const svc = await connect()
const phone = svc.device()

await phone.open('com.android.settings')
await phone.wait('Settings')
const { data } = await phone.read({ text: 'Wi-Fi' })
console.log(data.text)

const clicked = await phone.click({ textContains: 'display' }, { observe: true })
console.log(clicked.executionId, clicked.observed?.text)

await svc.close()
