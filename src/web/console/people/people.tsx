// The people of a console: who may do what, and who is invited.
import { useSignal } from '@preact/signals'
import type {
  Colleague,
  Invitation,
  Invitations as InvitationList,
  NewInvitation,
  People as PeopleList,
  Role,
} from '#contract/console/staff.ts'
import { patch, post, queryText, remove } from '../api.ts'
import { isOfPlatform, me, roleNames, tenantId } from '../session.ts'
import { assign } from '../ui/assign.ts'
import { Confirm, Dialog } from '../ui/dialog.tsx'
import { Choice, Field, Form, useForm } from '../ui/form.tsx'
import { useOne } from '../ui/list.tsx'
import { Badge, Empty, Id, Loading, PageHead, Time, Trouble } from '../ui/parts.tsx'

const platformRoles: Role[] = ['viewer', 'operator', 'grievance-officer', 'admin']
const tenantRoles: Role[] = ['viewer', 'developer', 'support', 'admin']
const rolesOf = (ofTenant: boolean) => (ofTenant ? tenantRoles : platformRoles)
const optionsOf = (ofTenant: boolean) => rolesOf(ofTenant).map((role) => [role, roleNames[role]] as const)

/** People of the platform say whose people they mean. */
const ofTenant = (): string => queryText({ tenantId: isOfPlatform.value ? tenantId.value : '' })

export function People() {
  const { value, error, reload } = useOne<PeopleList>('/people', { tenantId: tenantId.value })
  const invited = useOne<InvitationList>('/people/invitations', { tenantId: tenantId.value })
  const reloadAll = () => {
    reload()
    invited.reload()
  }
  const isInviting = useSignal(false)
  const leaving = useSignal<Colleague | null>(null)
  const problem = useSignal<unknown>(null)
  const act = async (run: () => Promise<unknown>) => {
    problem.value = null
    await run().then(reloadAll, (reason) => {
      problem.value = reason
    })
  }
  const team =
    tenantId.value === ''
      ? 'the platform'
      : (me.value?.tenants.find((each) => each.tenantId === tenantId.value)?.name ?? 'the tenant')
  return (
    <>
      <PageHead title="People" about={`Who may sign in to the console for ${team}, and what they may do.`}>
        <button type="button" class="primary" onClick={() => assign(isInviting, true)}>
          Invite somebody
        </button>
      </PageHead>
      {problem.value ? <Trouble error={problem.value} /> : null}
      {error && !value && <Trouble error={error} retry={reload} />}
      {!value && !error && <Loading />}
      {value && (
        <PeopleTable
          people={value.items}
          onRole={(person, role) => act(() => patch(`/people/${person.personId}${ofTenant()}`, { role }))}
          onRemove={(person) => assign(leaving, person)}
        />
      )}
      {invited.value && invited.value.items.length > 0 && (
        <Invitations
          invitations={invited.value.items}
          onTakeBack={(id) => act(() => remove(`/people/invitations/${id}${ofTenant()}`))}
        />
      )}
      {value && value.items.length === 0 && <Empty title="Nobody can sign in yet" />}
      {isInviting.value && <Invite onClose={() => assign(isInviting, false)} onDone={reloadAll} />}
      {leaving.value && (
        <Confirm
          title={`Remove ${leaving.value.name}?`}
          button={`Remove ${leaving.value.name}`}
          onClose={() => assign(leaving, null)}
          onConfirm={() => {
            const person = leaving.value
            leaving.value = null
            if (person) act(() => remove(`/people/${person.personId}${ofTenant()}`))
          }}
        >
          <p>
            Their sessions end at once and they can no longer sign in. What they did stays in the audit log under their
            name.
          </p>
        </Confirm>
      )}
    </>
  )
}

function PeopleTable({
  people,
  onRole,
  onRemove,
}: {
  people: Colleague[]
  onRole(person: Colleague, role: Role): void
  onRemove(person: Colleague): void
}) {
  return (
    <div class="table">
      <table>
        <thead>
          <tr>
            <th scope="col">Name</th>
            <th scope="col">Role</th>
            <th scope="col">Second factor</th>
            <th scope="col" class="minor">
              Last seen
            </th>
            <th scope="col">
              <span class="unseen">What can be done</span>
            </th>
          </tr>
        </thead>
        <tbody>
          {people.map((person) => (
            <tr key={person.personId}>
              <td>
                <strong>{person.name}</strong>
                <div class="quiet small">{person.email}</div>
              </td>
              <td>
                <select
                  aria-label={`Role of ${person.name}`}
                  value={person.role}
                  onChange={(event) => onRole(person, event.currentTarget.value as Role)}
                >
                  {optionsOf(person.tenantId !== null).map(([role, name]) => (
                    <option key={role} value={role}>
                      {name}
                    </option>
                  ))}
                </select>
              </td>
              <td>{person.twoFactor ? <Badge tone="good">On</Badge> : <Badge tone="warn">Off</Badge>}</td>
              <td class="minor">{person.lastUsedAt ? <Time at={person.lastUsedAt} /> : 'Never'}</td>
              <td class="number">
                <button type="button" class="secondary small" onClick={() => onRemove(person)}>
                  Remove
                </button>
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  )
}

const Invitations = ({ invitations, onTakeBack }: { invitations: Invitation[]; onTakeBack(id: string): void }) => (
  <section>
    <h2>Invited</h2>
    <div class="table">
      <table>
        <thead>
          <tr>
            <th scope="col">E-mail</th>
            <th scope="col">Role</th>
            <th scope="col">Until</th>
            <th scope="col">
              <span class="unseen">What can be done</span>
            </th>
          </tr>
        </thead>
        <tbody>
          {invitations.map(({ invitationId, email, name, role, expiresAt }) => (
            <tr key={invitationId}>
              <td>
                {name} <div class="quiet small">{email}</div>
              </td>
              <td>{roleNames[role]}</td>
              <td>
                <Time at={expiresAt} />
              </td>
              <td class="number">
                <button type="button" class="secondary small" onClick={() => onTakeBack(invitationId)}>
                  Take back
                </button>
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  </section>
)

function Invite({ onClose, onDone }: { onClose(): void; onDone(): void }) {
  const ofTenant = !isOfPlatform.value || tenantId.value !== ''
  const typed = useSignal<{ email: string; name: string; role: Role }>({ email: '', name: '', role: 'viewer' })
  const invited = useSignal<NewInvitation | null>(null)
  const act = useForm(['email', 'name', 'role'])
  async function submit(): Promise<void> {
    invited.value = await post<NewInvitation>('/people/invitations', {
      ...typed.value,
      ...(tenantId.value && { tenantId: tenantId.value }),
    })
    onDone()
  }
  return (
    <Dialog title="Invite somebody" onClose={onClose}>
      {invited.value ? (
        <>
          {invited.value.link ? (
            <>
              <p>No mail server is configured, so send this link yourself. It works once, for seven days.</p>
              <p class="copyable">
                <Id value={invited.value.link} whole />
              </p>
            </>
          ) : (
            <p>{typed.value.email} was sent a link, which works once, for seven days.</p>
          )}
          <div class="acts">
            <button type="button" class="primary" onClick={onClose}>
              Done
            </button>
          </div>
        </>
      ) : (
        <Form act={act} onSubmit={submit} button="Invite">
          <Field
            label="Name"
            required
            autoFocus
            value={typed.value.name}
            fault={act.faults.name}
            onValue={(name) => assign(typed, { ...typed.value, name })}
          />
          <Field
            label="E-mail"
            type="email"
            required
            value={typed.value.email}
            fault={act.faults.email}
            onValue={(email) => assign(typed, { ...typed.value, email })}
          />
          <Choice
            label="Role"
            value={typed.value.role}
            options={optionsOf(ofTenant)}
            fault={act.faults.role}
            onValue={(role) => assign(typed, { ...typed.value, role: role as Role })}
          />
        </Form>
      )}
    </Dialog>
  )
}
