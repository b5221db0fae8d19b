import { describe, expect, test } from 'vitest'
import { hasRole, ROLES, roleOf } from '../../../src/contracts/device/role.ts'
import { node } from '../../support/device/fake-ui-driver.ts'

const of = (className: string) => node({ className })

test.each([
  ['android.widget.Button', 'button'],
  ['android.widget.ImageButton', 'button'],
  ['com.google.android.material.floatingactionbutton.FloatingActionButton', 'button'],
  ['android.widget.RadioButton', 'radio'],
  ['android.widget.ToggleButton', 'switch'],
  ['androidx.appcompat.widget.SwitchCompat', 'switch'],
  ['android.widget.CheckBox', 'checkbox'],
  ['android.widget.CheckedTextView', 'checkbox'],
  ['android.widget.TextView', 'text'],
  ['android.widget.EditText', 'textfield'],
  ['android.widget.AutoCompleteTextView', 'textfield'],
  ['android.widget.MultiAutoCompleteTextView', 'textfield'],
  ['android.widget.SearchView$SearchAutoComplete', 'textfield'],
  ['android.widget.ImageView', 'image'],
  ['android.widget.Image', 'image'],
  ['androidx.recyclerview.widget.RecyclerView', 'list'],
  ['android.widget.ExpandableListView', 'list'],
  ['android.widget.GridView', 'list'],
  ['androidx.appcompat.app.ActionBar$Tab', 'tab'],
  ['com.google.android.material.tabs.TabLayout$TabView', 'tab'],
  ['com.google.android.material.tabs.TabLayout', 'group'],
  ['android.widget.FrameLayout', 'group'],
  ['android.widget.HorizontalScrollView', 'scroll'],
  ['androidx.viewpager2.widget.ViewPager2', 'pager'],
  ['android.widget.SeekBar', 'slider'],
  ['android.widget.ProgressBar', 'progress'],
  ['android.widget.NumberPicker', 'picker'],
  ['android.widget.Spinner', 'dropdown'],
  ['android.webkit.WebView', 'web'],
  ['android.view.View', undefined],
  ['', undefined],
])('%s is %s', (className, role) => {
  expect(roleOf(of(className))).toBe(role)
})

describe('a wanted role', () => {
  test.each(['edit', 'EditText', 'TEXTFIELD', 'input'])('may be called %s', name => {
    expect(hasRole(of('android.widget.EditText'), name)).toBe(true)
    expect(hasRole(of('android.widget.TextView'), name)).toBe(false)
  })

  test('outside the table is the class itself', () => {
    expect(hasRole(of('com.example.MapCanvas'), 'mapcanvas')).toBe(true)
    expect(hasRole(of('com.example.Other$MapCanvas'), 'MapCanvas')).toBe(true)
    expect(hasRole(of('com.example.BigMapCanvas'), 'mapcanvas')).toBe(false)
  })

  test('no name stands for two roles', () => {
    const names = Object.entries(ROLES).flatMap(([role, row]) => [role, ...row.names])
    expect(new Set(names).size).toBe(names.length)
    const endings = Object.values(ROLES).flatMap(row => row.classes as readonly string[])
    expect(new Set(endings).size).toBe(endings.length)
  })
})
