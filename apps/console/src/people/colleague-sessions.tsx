// A colleague's sessions, which an admin can end.
import type { Colleague, Sessions as SessionList } from '@lendloom/wire/console/staff'
import { remove } from '../api.ts'
import { me, ofTenant, tenantId } from '../session.ts'
import { Empty, Loading, SmallButton, Trouble } from '../ui/components.tsx'
import { Dialog } from '../ui/dialog.tsx'
import { useAct } from '../ui/form.tsx'
import { Rows, useResource } from '../ui/list.tsx'
import { sessionColumns } from '../ui/session-columns.tsx'

export function PersonSessions({ person, onClose }: { person: Colleague; onClose(): void }) {
  const path = `/people/${person.personId}/sessions`
  const { value, error, reload } = useResource<SessionList>(path, { tenantId: tenantId.value })
  const act = useAct()
  const end = (sessionId?: string) =>
    act.run(() => remove(ofTenant(sessionId === undefined ? path : `${path}/${sessionId}`)), reload)
  const trouble = act.problem ?? error
  const count = value?.items.length ?? 0
  const isOwn = person.personId === me.value?.person.personId
  return (
    <Dialog title={`Where ${person.name} is signed in`} onClose={onClose} wide>
      {trouble ? <Trouble error={trouble} retry={reload} /> : null}
      {!value && !error && <Loading rows={2} />}
      {value && count === 0 && <Empty title="No active sessions" />}
      {value && count > 0 && (
        <>
          <Rows
            label={`Sessions of ${person.name}`}
            items={value.items}
            keyOf={({ sessionId }) => sessionId}
            columns={sessionColumns(({ sessionId }) => <SmallButton onClick={() => end(sessionId)}>End</SmallButton>)}
          />
          {isOwn && <p class="quiet small">This is your account. Ending the session of this window signs you out.</p>}
          <div class="acts">
            <button type="button" class="danger" onClick={() => end()}>
              {count === 1 ? 'End the session' : `End all ${count} sessions`}
            </button>
          </div>
        </>
      )}
    </Dialog>
  )
}
