// The list of keyboard shortcuts, which `?` opens.
import type { Area } from './area.ts'
import { assign } from './ui/assign-signal.ts'
import { Dialog } from './ui/dialog.tsx'
import { isHelpOpen } from './ui/shortcut-hints.ts'

const everywhere = [
  ['Ctrl K', 'Search, go to a page, or run a command'],
  ['/', 'Same as Ctrl K'],
  ['?', 'Show this list'],
  ['Esc', 'Close a dialog'],
] as const
const inLists = [
  ['j', 'Next row'],
  ['k', 'Previous row'],
  ['Enter', 'Open the row'],
  ['Home', 'First row of a long list'],
  ['End', 'Last row of a long list'],
] as const

type Shortcut = readonly [keys: string, meaning: string]

const List = ({ title, shortcuts }: { title: string; shortcuts: readonly Shortcut[] }) => (
  <section>
    <h3>{title}</h3>
    <dl class="facts">
      {shortcuts.map(([keys, meaning]) => (
        <div key={keys}>
          <dt>{meaning}</dt>
          <dd>
            <kbd>{keys}</kbd>
          </dd>
        </div>
      ))}
    </dl>
  </section>
)

export const Help = ({ areas }: { areas: Area[] }) => (
  <Dialog title="Keyboard shortcuts" onClose={() => assign(isHelpOpen, false)}>
    <div class="shortcuts">
      <List title="Everywhere" shortcuts={everywhere} />
      <List title="Lists" shortcuts={inLists} />
      <List title="Go to" shortcuts={areas.map(({ key, name }): Shortcut => [`g ${key}`, name])} />
    </div>
  </Dialog>
)
