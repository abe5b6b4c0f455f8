// Saved views above a list's filters: open, save, rename, share and remove.

import { type ViewListName, viewLists } from '@lendloom/wire/console/saved-view-lists'
import type { SavedView } from '@lendloom/wire/console/saved-views'
import { useSignal } from '@preact/signals'
import { useEffect } from 'preact/hooks'
import { patch, post, remove } from '../api.ts'
import { go } from '../router.ts'
import { currentFilters, hasSameFilters, hrefOfView, loadViews, savedViews } from '../saved-views.ts'
import { isOfPlatform } from '../session.ts'
import { assign } from './assign-signal.ts'
import { Trouble } from './components.tsx'
import { Dialog } from './dialog.tsx'
import { Field, Form, useAct, useForm } from './form.tsx'

interface ListProps {
  list: ViewListName
}

function viewsOf(list: ViewListName) {
  const views = (savedViews.value ?? []).filter((view) => view.list === list)
  const filters = currentFilters(list)
  return { views, filters, currentView: views.find((view) => hasSameFilters(view.filters, filters)) }
}

export function SaveView({ list }: ListProps) {
  const isSaving = useSignal(false)
  const { filters, currentView } = viewsOf(list)
  return (
    <>
      {!currentView && Object.keys(filters).length > 0 && (
        <button type="button" class="secondary save-view" onClick={() => assign(isSaving, true)}>
          Save as a view
        </button>
      )}
      {isSaving.value && <Save list={list} filters={filters} onClose={() => assign(isSaving, false)} />}
    </>
  )
}

/** A view that every user has. */
interface ReadyView {
  name: string
  filters: Record<string, string>
}

export function Views({ list, ready = [] }: ListProps & { ready?: readonly ReadyView[] }) {
  const editedView = useSignal<SavedView | null>(null)
  useEffect(() => void loadViews(), [])
  const { views, filters, currentView } = viewsOf(list)
  return (
    <>
      {views.length + ready.length > 0 && (
        <nav class="views" aria-label="Views">
          <a
            href={hrefOfView({ list, filters: {} })}
            aria-current={Object.keys(filters).length === 0 ? 'true' : undefined}
          >
            All
          </a>
          {ready.map((view) => (
            <a
              key={view.name}
              href={hrefOfView({ list, filters: view.filters })}
              aria-current={hasSameFilters(view.filters, filters) ? 'true' : undefined}
            >
              {view.name}
            </a>
          ))}
          {views.map((view) => (
            <a
              key={view.viewId}
              href={hrefOfView(view)}
              aria-current={view === currentView ? 'true' : undefined}
              title={view.isOwn ? undefined : `Shared by ${view.by ?? 'the command line'}`}
            >
              {view.name}
            </a>
          ))}
          {currentView?.mayChange && (
            <button type="button" class="secondary small" onClick={() => assign(editedView, currentView)}>
              Change view
            </button>
          )}
        </nav>
      )}
      {editedView.value && <Change view={editedView.value} onClose={() => assign(editedView, null)} />}
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
  const draft = useSignal({ name: '', isShared: false })
  async function submit(): Promise<void> {
    await post('/views', { list, filters, ...draft.value })
    await loadViews()
    onClose()
  }
  return (
    <Dialog title={`Save a view of ${viewLists[list].name.toLowerCase()}`} onClose={onClose}>
      <Form act={act} onSubmit={submit} button="Save">
        <NameAndSharing draft={draft.value} fault={act.faults.name} onChange={(value) => assign(draft, value)} />
        <p class="hint">The view does not save identifiers typed into the filters.</p>
      </Form>
    </Dialog>
  )
}

function Change({ view, onClose }: { view: SavedView; onClose(): void }) {
  const { viewId, version } = view
  const act = useForm(['name'])
  const removal = useAct()
  const draft = useSignal({ name: view.name, isShared: view.isShared })
  async function submit(): Promise<void> {
    await patch(`/views/${viewId}`, { version, ...draft.value })
    await loadViews()
    onClose()
  }
  const onRemove = () =>
    removal.run(
      () => remove(`/views/${viewId}?version=${version}`),
      () => {
        loadViews()
        onClose()
        go(hrefOfView({ list: view.list, filters: {} }))
      },
    )
  return (
    <Dialog title="Change the view" onClose={onClose}>
      {removal.problem ? <Trouble error={removal.problem} /> : null}
      <Form act={act} onSubmit={submit} button="Save">
        <NameAndSharing draft={draft.value} fault={act.faults.name} onChange={(value) => assign(draft, value)} />
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

interface NameAndSharingProps {
  draft: ViewDraft
  fault: string | undefined
  onChange(draft: ViewDraft): void
}

const NameAndSharing = ({ draft, fault, onChange }: NameAndSharingProps) => (
  <>
    <Field
      label="Name"
      required
      autoFocus
      value={draft.name}
      fault={fault}
      onValue={(name) => onChange({ ...draft, name })}
    />
    <label>
      <input
        type="checkbox"
        checked={draft.isShared}
        onChange={(event) => onChange({ ...draft, isShared: event.currentTarget.checked })}
      />{' '}
      {isOfPlatform.value ? 'Share with everyone on the platform' : 'Share with everyone in our team'}
    </label>
  </>
)
