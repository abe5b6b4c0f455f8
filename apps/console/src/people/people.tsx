// The users of the console, their roles, and invitations.

import { platformRoles, roleNames, tenantRoles } from '@lendloom/wire/console/lists'
import type {
  Colleague,
  Invitation,
  Invitations as InvitationList,
  NewInvitation,
  People as PeopleList,
  Role,
} from '@lendloom/wire/console/staff'
import { type Signal, useSignal } from '@preact/signals'
import { patch, post, remove } from '../api.ts'
import { me, ofTenant, tenantId } from '../session.ts'
import { assign } from '../ui/assign-signal.ts'
import { Badge, Breaking, Empty, Id, Loading, PageHead, SmallButton, Time, Trouble } from '../ui/components.tsx'
import { Confirm, Dialog } from '../ui/dialog.tsx'
import { useOpening } from '../ui/dialog-url.ts'
import { Choice, Field, Form, useAct, useTyped } from '../ui/form.tsx'
import { type Column, Rows, useResource } from '../ui/list.tsx'
import { PersonSessions } from './colleague-sessions.tsx'

const rolesOf = (isOfTenant: boolean) => (isOfTenant ? tenantRoles : platformRoles)
const optionsOf = (isOfTenant: boolean) => rolesOf(isOfTenant).map((role) => [role, roleNames[role]] as const)

export function People() {
  const people = useResource<PeopleList>('/people', { tenantId: tenantId.value })
  const invitations = useResource<InvitationList>('/people/invitations', { tenantId: tenantId.value })
  const isInviting = useSignal(false)
  const personToRemove = useSignal<Colleague | null>(null)
  const personShown = useSignal<Colleague | null>(null)
  const act = useAct()
  const reload = () => {
    people.reload()
    invitations.reload()
  }
  const apply = (run: () => Promise<unknown>) => {
    personToRemove.value = null
    newRole.value = null
    act.run(run, reload)
  }
  const newRole = useSignal<RoleChange | null>(null)
  useOpening('invite', () => assign(isInviting, true))
  const error = act.problem ?? people.error
  return (
    <>
      <PageHead title="People" about={`People who can sign in to the console for ${teamName()}, and their roles.`}>
        <button type="button" class="primary" onClick={() => assign(isInviting, true)}>
          Invite a person
        </button>
      </PageHead>
      {error ? <Trouble error={error} retry={reload} /> : null}
      {!people.value && !people.error && <Loading />}
      {people.value?.items.length === 0 && <Empty title="No people yet" />}
      {people.value && people.value.items.length > 0 && (
        <Rows
          label="People"
          items={people.value.items}
          keyOf={({ personId }) => personId}
          columns={peopleColumns({ newRole, personToRemove, personShown })}
        />
      )}
      <InvitationTable
        items={invitations.value?.items ?? []}
        onWithdraw={(id) => apply(() => remove(ofTenant(`/people/invitations/${id}`)))}
      />
      {isInviting.value && <Invite onClose={() => assign(isInviting, false)} onDone={reload} />}
      {personShown.value && <PersonSessions person={personShown.value} onClose={() => assign(personShown, null)} />}
      <RoleDialog signal={newRole} onConfirm={(id, role) => apply(() => patch(ofTenant(`/people/${id}`), { role }))} />
      <RemovalDialog signal={personToRemove} onConfirm={(id) => apply(() => remove(ofTenant(`/people/${id}`)))} />
    </>
  )
}

const InvitationTable = ({ items, onWithdraw }: { items: Invitation[]; onWithdraw(id: string): void }) =>
  items.length > 0 && (
    <section>
      <h2>Invitations</h2>
      <Rows
        label="Invited"
        items={items}
        keyOf={({ invitationId }) => invitationId}
        columns={invitationColumns(onWithdraw)}
      />
    </section>
  )

const teamName = (): string =>
  tenantId.value === ''
    ? 'the platform'
    : (me.value?.tenants.find((each) => each.tenantId === tenantId.value)?.name ?? 'the tenant')

/** A role change that the user has not confirmed yet. */
interface RoleChange {
  person: Colleague
  role: Role
}

interface PeopleActs {
  newRole: Signal<RoleChange | null>
  personToRemove: Signal<Colleague | null>
  /** The person whose sessions are shown. */
  personShown: Signal<Colleague | null>
}

const RoleSelect = ({ person, newRole }: { person: Colleague; newRole: Signal<RoleChange | null> }) => (
  <select
    aria-label={`Role of ${person.name}`}
    value={person.role}
    onChange={({ currentTarget }) => {
      const role = optionsOf(person.tenantId !== null).find(([each]) => each === currentTarget.value)?.[0]
      // The select shows the current role until the change is confirmed.
      currentTarget.value = person.role
      if (role) newRole.value = { person, role }
    }}
  >
    {optionsOf(person.tenantId !== null).map(([role, name]) => (
      <option key={role} value={role}>
        {name}
      </option>
    ))}
  </select>
)

const isSelf = ({ personId }: Colleague): boolean => personId === me.value?.person.personId

/** What signs the person in without a password. */
const OtherWaysIn = ({ person: { passkeys, hasLinkedAccount } }: { person: Colleague }) => (
  <>
    {passkeys > 0 && <Badge tone="info">{passkeys === 1 ? '1 passkey' : `${passkeys} passkeys`}</Badge>}{' '}
    {hasLinkedAccount && <Badge tone="info">Linked account</Badge>}
  </>
)

function peopleColumns({ newRole, personToRemove, personShown }: PeopleActs): Column<Colleague>[] {
  const personActs = (person: Colleague) => (
    <span class="row-acts">
      <SmallButton onClick={() => assign(personShown, person)}>Sessions</SmallButton>
      {!isSelf(person) && (
        <SmallButton isDanger onClick={() => assign(personToRemove, person)}>
          Remove
        </SmallButton>
      )}
    </span>
  )
  return [
    {
      head: 'Name',
      cell: (person) => (
        <>
          <strong>{person.name}</strong> {isSelf(person) && <span class="quiet">(you)</span>}
          <div class="quiet small">
            <Breaking text={person.email} />
          </div>
          <span class="narrow">
            {!person.twoFactor && <Badge tone="warn">Second factor off</Badge>} <OtherWaysIn person={person} />
          </span>
        </>
      ),
    },
    {
      head: 'Role',
      cell: (person) => (
        <>
          {isSelf(person) ? roleNames[person.role] : <RoleSelect person={person} newRole={newRole} />}
          <span class="narrow">{personActs(person)}</span>
        </>
      ),
    },
    {
      head: 'Second factor',
      isMinor: true,
      cell: (person) => (
        <>
          {person.twoFactor ? <Badge tone="good">On</Badge> : <Badge tone="warn">Off</Badge>}{' '}
          <OtherWaysIn person={person} />
        </>
      ),
    },
    { head: 'Last seen', isMinor: true, cell: ({ lastUsedAt }) => (lastUsedAt ? <Time at={lastUsedAt} /> : 'Never') },
    { head: '', isNumber: true, isMinor: true, cell: personActs },
  ]
}

const invitationColumns = (onWithdraw: (id: string) => void): Column<Invitation>[] => [
  {
    head: 'Name',
    cell: ({ name, email }) => (
      <>
        {name} <div class="quiet small address">{email}</div>
      </>
    ),
  },
  { head: 'Role', cell: ({ role }) => roleNames[role] },
  { head: 'Expires', cell: ({ expiresAt }) => <Time at={expiresAt} /> },
  {
    head: '',
    isNumber: true,
    cell: ({ invitationId }) => <SmallButton onClick={() => onWithdraw(invitationId)}>Withdraw</SmallButton>,
  },
]

function RoleDialog({
  signal,
  onConfirm,
}: {
  signal: Signal<RoleChange | null>
  onConfirm(personId: string, role: Role): void
}) {
  const change = signal.value
  if (!change) return null
  const { person, role } = change
  return (
    <Confirm
      title={`Change the role of ${person.name}?`}
      button={`Change to ${roleNames[role].toLowerCase()}`}
      onClose={() => assign(signal, null)}
      onConfirm={() => onConfirm(person.personId, role)}
    >
      <p>The current role is {roleNames[person.role].toLowerCase()}. The change takes effect at once.</p>
    </Confirm>
  )
}

function RemovalDialog({ signal, onConfirm }: { signal: Signal<Colleague | null>; onConfirm(personId: string): void }) {
  const person = signal.value
  if (!person) return null
  const title = `Remove ${person.name}?`
  return (
    <Confirm
      title={title}
      button={`Remove ${person.name}`}
      onClose={() => assign(signal, null)}
      onConfirm={() => onConfirm(person.personId)}
    >
      <p>
        Their sessions end at once and they can no longer sign in. Their actions stay in the audit log under their name.
      </p>
    </Confirm>
  )
}

function Invite({ onClose, onDone }: { onClose(): void; onDone(): void }) {
  const { act, bind, typed } = useTyped({ email: '', name: '', role: 'viewer' })
  const newInvitation = useSignal<NewInvitation | null>(null)
  async function submit(): Promise<void> {
    const body = { ...typed, ...(tenantId.value && { tenantId: tenantId.value }) }
    newInvitation.value = await post<NewInvitation>('/people/invitations', body)
    onDone()
  }
  return (
    <Dialog title="Invite a person" onClose={onClose}>
      {newInvitation.value ? (
        <NewInvitationNotice invitation={newInvitation.value} onClose={onClose} />
      ) : (
        <Form act={act} onSubmit={submit} button="Invite">
          <Field label="Name" required autoFocus {...bind('name')} />
          <Field label="Email" type="email" required {...bind('email')} />
          <Choice label="Role" options={optionsOf(tenantId.value !== '')} {...bind('role')} />
        </Form>
      )}
    </Dialog>
  )
}

const NewInvitationNotice = ({
  invitation: { link, email },
  onClose,
}: {
  invitation: NewInvitation
  onClose(): void
}) => (
  <>
    {link ? (
      <>
        <p>No mail server is configured, so send this link yourself. It works once, within seven days.</p>
        <p class="copyable">
          <Id value={link} whole />
        </p>
      </>
    ) : (
      <p>We sent {email} a link. It works once, within seven days.</p>
    )}
    <div class="acts">
      <button type="button" class="primary" onClick={onClose}>
        Done
      </button>
    </div>
  </>
)
