/** The topic `devices`: the device that a command uses, and its operator. */
export const DEVICES = `Devices: which device a command uses, and which operator acts on it

svc lists the devices of the adb server, which it starts if there is none, and those in
SVC_TCP_DEVICES (host:port,...), which need no adb.

  svc devices
  SVC_TCP_DEVICES=127.0.0.1:41001 svc devices

With one ready device, commands use it. With several, name one:

  svc click "About phone" --device emulator-5554

Without --device the answer is NO_DEVICES or MULTIPLE_DEVICES_DEVICE_ID_REQUIRED; the latter lists
them in details.connected. A device that is unauthorized, offline or locked has a code of its own.
svc doctor checks every device and says what to do.

One execution owns a device at a time, across all processes of this user. A busy device refuses at
once (EXECUTION_CONFLICT_IN_FLIGHT), unless the command waits for its turn:

  svc click "About phone" --wait 20000

The operator carries out the actions on the device:

  com.svc.operator     an operator app; taken if it is installed
  svc.uiautomator      a helper that svc operator install puts on the device; taken next
  svc.shell            built in, needs nothing on the device; slower, and types ASCII only

  svc operator install
  svc snapshot --operator-package svc.shell

The variable SVC_OPERATOR_PACKAGE names one for all commands. Answers say which one acted
(operatorPackage).

No phone at hand? Start a simulated one, or an emulator of the Android SDK:

  svc simulate --port 41001
  svc emulators provision

In a fleet (SVC_FLEET), --device also takes a device of another host, or lets svc choose one:

  svc click "About phone" --device emulator-5554@lab-2
  svc click "About phone" --device any
  svc click "About phone" --device any:tag=lab`
