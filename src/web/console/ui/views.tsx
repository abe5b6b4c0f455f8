// Saved views above a list's filters: open, save, rename, share and remove.
import { useSignal } from '@preact/signals'
import { useEffect } from 'preact/hooks'
import { type ViewListName, viewLists } from '#contract/console/lists.ts'
import type { SavedView } from '#contract/console/overview.ts'
import { patch, post, remove } from '../api.ts'
import { go } from '../router.ts'
import { isOfPlatform } from '../session.ts'
import { filtersSet, hrefOf, isSame, loadViews, savedViews } from '../views.ts'
import { assign } from './assign.ts'
import { Dialog } from './dialog.tsx'
import { Field, Form, useAct, useForm } from './form.tsx'
import { Trouble } from './parts.tsx'

export function Views({ list }: { list: ViewListName }) {
  const isSaving = useSignal(false)
  const changing = useSignal<SavedView | null>(null)
  useEffect(() => void loadViews(), [])
  const views = (savedViews.value ?? []).filter((view) => view.list === list)
  const filters = filtersSet(list)
  const now = views.find((view) => isSame(view.filters, filters))
  const canSave = !now && Object.keys(filters).length > 0
  return (
    <>
      {(views.length > 0 || canSave) && (
        <nav class="views" aria-label="Saved views">
          {views.length > 0 && (
            <a
              href={hrefOf({ list, filters: {} })}
              aria-current={Object.keys(filters).length === 0 ? 'true' : undefined}
            >
              All
            </a>
          )}
          {views.map((view) => (
            <a
              key={view.viewId}
              href={hrefOf(view)}
              aria-current={view === now ? 'true' : undefined}
              title={view.isOwn ? undefined : `Shared by ${view.by ?? 'the command line'}`}
            >
              {view.name}
            </a>
          ))}
          {canSave && (
            <button type="button" class="secondary small" onClick={() => assign(isSaving, true)}>
              Save as a view
            </button>
          )}
          {now?.mayChange && (
            <button type="button" class="secondary small" onClick={() => assign(changing, now)}>
              Change view
            </button>
          )}
        </nav>
      )}
      {isSaving.value && <Save list={list} filters={filters} onClose={() => assign(isSaving, false)} />}
      {changing.value && <Change view={changing.value} onClose={() => assign(changing, null)} />}
    </>
  )
}

interface SaveProps {
  list: ViewListName
  filters: Record<string, string>
  onClose(): void
}

function Save({ list, filters, onClose }: SaveProps) {
  const act = useForm(['name'])
  const typed = useSignal({ name: '', isShared: false })
  async function submit(): Promise<void> {
    await post('/views', { list, filters, ...typed.value })
    await loadViews()
    onClose()
  }
  return (
    <Dialog title={`Save a view of ${viewLists[list].name.toLowerCase()}`} onClose={onClose}>
      <Form act={act} onSubmit={submit} button="Save">
        <NameAndReach typed={typed.value} fault={act.faults.name} onTyped={(value) => assign(typed, value)} />
        <p class="hint">The view does not save identifiers typed into the filters.</p>
      </Form>
    </Dialog>
  )
}

function Change({ view, onClose }: { view: SavedView; onClose(): void }) {
  const { viewId, version } = view
  const act = useForm(['name'])
  const removing = useAct()
  const typed = useSignal({ name: view.name, isShared: view.isShared })
  async function submit(): Promise<void> {
    await patch(`/views/${viewId}`, { version, ...typed.value })
    await loadViews()
    onClose()
  }
  const onRemove = () =>
    removing.run(
      () => remove(`/views/${viewId}?version=${version}`),
      () => {
        loadViews()
        onClose()
        go(hrefOf({ list: view.list, filters: {} }))
      },
    )
  return (
    <Dialog title="Change the view" onClose={onClose}>
      {removing.problem ? <Trouble error={removing.problem} /> : null}
      <Form act={act} onSubmit={submit} button="Save">
        <NameAndReach typed={typed.value} fault={act.faults.name} onTyped={(value) => assign(typed, value)} />
      </Form>
      <div class="acts">
        <button type="button" class="danger" onClick={onRemove}>
          Remove “{view.name}”
        </button>
      </div>
    </Dialog>
  )
}

interface ViewDraft {
  name: string
  isShared: boolean
}

interface NameAndReachProps {
  typed: ViewDraft
  fault: string | undefined
  onTyped(typed: ViewDraft): void
}

const NameAndReach = ({ typed, fault, onTyped }: NameAndReachProps) => (
  <>
    <Field
      label="Name"
      required
      autoFocus
      value={typed.name}
      fault={fault}
      onValue={(name) => onTyped({ ...typed, name })}
    />
    <label>
      <input
        type="checkbox"
        checked={typed.isShared}
        onChange={(event) => onTyped({ ...typed, isShared: event.currentTarget.checked })}
      />{' '}
      {isOfPlatform.value ? 'Share with everyone on the platform' : 'Share with everyone in our team'}
    </label>
  </>
)
