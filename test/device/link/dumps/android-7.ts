/** What an Android 7 phone prints, as far as the screen is concerned. */
export const android7 = ({ awake, locked }: { awake: boolean; locked: boolean }) => `POWER MANAGER (dumpsys power)

Power Manager State:
  mDirty=0x0
  mWakefulness=${awake ? 'Awake' : 'Asleep'}
  mWakefulnessChanging=false
  mIsPowered=true
  mPlugType=2
  mHalInteractiveModeEnabled=${awake}

Display Power: state=${awake ? 'ON' : 'OFF'}
WINDOW MANAGER POLICY STATE (dumpsys window policy)
    mSafeMode=false mSystemReady=true mSystemBooted=true
    mLidState=-1 mLidOpenRotation=-1 mCameraLensCoverState=-1 mHdmiPlugged=false
    mAwake=${awake} mScreenOnEarly=${awake} mScreenOnFully=${awake}
    mKeyguardDrawComplete=true mWindowManagerDrawComplete=true
    mTopFullscreenOpaqueWindowState=Window{5e3b u0 com.android.launcher/com.android.launcher.Launcher}
    mTopIsFullscreen=false mHideLockScreen=false
    mForceStatusBar=false mForceStatusBarFromKeyguard=false
    mDismissKeyguard=0 mWinDismissingKeyguard=null mHomePressed=false
    mShowingLockscreen=${locked} mShowingDream=false mDreamingLockscreen=${locked} mDreamingSleepToken=null
    mStatusBar=Window{4bd0 u0 StatusBar} isStatusBarKeyguard=${locked}
Trust manager state:
 User "Owner" (id=0, flags=0x13) (current): trusted=0, trustManaged=0, deviceLocked=0, strongAuthRequired=0x0
   Enabled agents:
   Events:
`
