// The page on which admins add, change and remove users of the desk.

import { allOf } from '@lendloom/foundation/all-of'
import { keysOf } from '@lendloom/foundation/record'
import { Refusal } from '@lendloom/foundation/refusal'
import { Type } from '@lendloom/foundation/schema'
import { formFrom } from '@lendloom/http/body'
import { type Html, html } from '@lendloom/http/markup'
import { emailOf } from '@lendloom/identity/person'
import { maxPaise } from '@lendloom/lending/money'
import type { Tx } from '@lendloom/postgres/sql'
import { visiblePattern } from '@lendloom/wire/identifier'
import type { Context } from '#partner/context.ts'
import {
  type ApprovalLimit,
  approvalLimit,
  checkedActNames,
  type RequestFacts,
  soleLimit,
  whyMayNotApprove,
} from '#partner/desk/approval/approval-rules.ts'
import { listLimits, waitingFacts } from '#partner/desk/approval/store.ts'
import { noticeAfterAct } from '#partner/desk/audit/act-notice.ts'
import { changeableSettings } from '#partner/desk/change/changeable-settings.ts'
import { changeNotices, obstacleFor } from '#partner/desk/change/changes-part.ts'
import { insertProposal, proposeChange } from '#partner/desk/change/propose-change.ts'
import { type ChangeLine, hasOtherAdmin, waitingChanges } from '#partner/desk/change/store.ts'
import { type DeskRoute, deskRoute } from '#partner/desk/desk-route.ts'
import { button, deskPage, goTo } from '#partner/desk/frame.ts'
import { countText, formatTime, inr, labelOf, toneBadge, toSentence } from '#partner/desk/parts/format.ts'
import { tableOf } from '#partner/desk/parts/table.ts'
import { policyPath } from '#partner/desk/policy/policy-section.ts'
import { statusOf } from '#partner/desk/refusal-page.ts'
import { countOpenTasks } from '#partner/desk/task/store.ts'
import { possibleUsers } from '#partner/people/one-person.ts'
import { type LinkLine, listLinks } from '#partner/people/password-link-store.ts'
import { type DeskPerson, type Role, roles, type Staff } from '#partner/people/person.ts'
import { isMaker } from '#partner/people/proposal.ts'
import { listStaff, type StaffListRow } from '#partner/people/store.ts'
import { lockDecider, may, type SignedIn } from './desk-auth.ts'
import { factorBadge } from './own-page.ts'
import { ownTexts } from './own-text-en.ts'
import { inviteStaff, linkAddress, linkChannel, resetPassword } from './password-link/password-link.ts'
import { linkText, linkTexts } from './password-link/text-en.ts'
import { resetSecondFactor } from './reset-second-factor.ts'
import { rolesIn } from './roles-setting.ts'
import { rolesText, roleTexts } from './roles-text-en.ts'
import { removeFromStaff } from './staff.ts'
import { can } from './staff-acts.ts'

const path = '/desk/people'
const common = { section: 'operation', hidden: true, viewAct: null } as const
const params = Type.Object({ email: Type.String({ maxLength: 254 }) })

interface PeoplePageState {
  problem?: string
  done?: string | undefined
  /** A new password link. The token is null if the link is mailed; otherwise it is shown once. */
  link?: { email: string; token: string | null }
  input?: { name: string; email: string; roles: Role[] }
}

/** The roles to choose from. For a new person they say what they allow; in the table, the legend is for screen readers. */
const roleBoxes = (current: readonly Role[], owner: string | null): Html =>
  html`<fieldset class="roles">${owner === null ? html`<legend>Roles</legend>` : html`<legend class="unseen">Roles of ${owner}</legend>`}${roles.map(
    (role) =>
      html`<label><input type="checkbox" name="role" value="${role}"${current.includes(role) && html` checked`}> ${labelOf(role)}${owner === null && html` <small>${roleTexts[role]}</small>`}</label>`,
  )}</fieldset>`

/** What is open at the desk, by which the page counts what waits for each person. */
interface OpenWork {
  limits: ApprovalLimit[]
  requests: RequestFacts[]
  changes: ChangeLine[]
  tasks: { assignee: string; count: number }[]
}

async function peoplePage(ctx: Context, who: SignedIn, { problem, done, link, input }: PeoplePageState, status = 200) {
  const now = ctx.clock()
  const [people, links, work, hasSecondAdmin] = await ctx.db.snapshot((db) =>
    Promise.all([
      listStaff(db),
      listLinks(db),
      allOf({
        limits: listLimits(db),
        requests: waitingFacts(db, now),
        changes: waitingChanges(db, keysOf(changeableSettings), now),
        tasks: countOpenTasks(db),
      }),
      hasOtherAdmin(db, who.staffId),
    ]),
  )
  const roleChanges = work.changes.filter(({ setting }) => setting === 'ROLES')
  const isChanging = ({ email }: Staff): boolean => roleChanges.some(({ subject }) => subject === email)
  const rows = people.map((person) => [
    html`${person.name}${person.staffId === who.staffId && html` <small>you</small>`}<small class="below">${person.email}</small>`,
    rolesCell(person.roles, isChanging(person)),
    limitsCell(person, work.limits),
    waitingCell(
      {
        ...person,
        possibleUserEmails: people
          .filter((each) => possibleUsers(person).includes(each.staffId))
          .map(({ email }) => email),
      },
      work,
    ),
    html`<span>${factorBadge(person.hasTotp)}${person.isLinked && html` ${toneBadge('info', ownTexts.linked)}`}${passwordPart(
      links.find(({ staffId }) => staffId === person.staffId),
      person.knownTo,
    )}</span>`,
    person.lastAt ? formatTime(person.lastAt) : toneBadge('plain', 'Never signed in'),
    managePart(person, who, isChanging(person)),
  ])
  const invited = link && people.find(({ email }) => email === link.email)
  const body = html`${link && invited && linkNotice(ctx, invited, link.token)}
${changeNotices([], hasSecondAdmin)}<section><p>A second admin must confirm role changes, which take effect at the person’s next click.</p>
<details class="folded"><summary>What resetting and removing do</summary><p>You cannot propose or approve changes of your own roles. Resetting a password signs the person out and unlinks their OpenID account; they choose a new one through a link. After you reset a colleague’s second factor, their account cannot approve or refuse your proposals until they choose a new password through an emailed link, because you could be using the account. Removed people stay in the audit log.</p></details>
<details class="question"${input && html` open`}><summary class="secondary">Add a person</summary><p>New people start as viewers. A second admin must confirm other roles.</p><form method="post" action="${path}">
<div class="fields"><label><span>Name</span><input name="name" value="${input?.name ?? ''}" maxlength="100" required></label>
<label><span>Email</span><input type="email" name="email" value="${input?.email ?? ''}" maxlength="254" required></label></div>
<div class="described">${roleBoxes(input?.roles ?? ['viewer'], null)}</div>
<button class="primary">Add</button></form></details>
${tableOf('Staff', ['Name', { name: 'Roles', phone: 'plain' }, 'May approve', 'Waits for them', 'Second factor', 'Last activity', ''], rows, { empty: 'No people yet.' })}</section>`
  return deskPage(
    ctx,
    who,
    { title: 'People', area: path, problem: problem ?? null, done: await noticeAfterAct(ctx, who, done), body },
    status,
  )
}

const rolesCell = (current: readonly Role[], isInChange: boolean): Html =>
  html`<span>${current.map(labelOf).join(', ')}<small class="below">${rolesText(current)}</small>${isInChange && html`<small class="below"><a href="${policyPath}#changes">A change waits for a second admin</a></small>`}</span>`

/** Up to which amount a person offers alone, and the largest amount that they approve of any act. */
function limitsCell(person: StaffListRow, limits: ApprovalLimit[]): Html {
  const alone = soleLimit(limits, person, 'OFFER')
  const most = can(person, 'REQUEST_APPROVED')
    ? maxPaise(0n, ...checkedActNames.map((act) => approvalLimit(limits, person, act)))
    : 0n
  if (most === 0n) return html`<span class="quiet">Nothing</span>`
  return html`<span class="unbroken">Up to ${inr(most)}${alone > 0n && html`<small class="below">offers ${inr(alone)} alone</small>`}</span>`
}

/** How many requests and changes the person may decide, and their open tasks. */
function waitingCell(
  person: Staff & Pick<DeskPerson, 'possibleUserEmails'>,
  { limits, requests, changes, tasks }: OpenWork,
): Html {
  const requestCount = can(person, 'REQUEST_APPROVED')
    ? requests.filter((each) => whyMayNotApprove(limits, person, each) === null).length
    : 0
  const changeCount = can(person, 'POLICY_CHANGED')
    ? changes.filter((each) => !isMaker(person, each) && obstacleFor(each, person) === null).length
    : 0
  const approvalCount = requestCount + changeCount
  const taskCount = tasks.find(({ assignee }) => assignee === person.staffId)?.count ?? 0
  const texts = [
    approvalCount > 0 && countText(approvalCount, 'approval'),
    taskCount > 0 && countText(taskCount, 'task'),
  ].filter((each) => each !== false)
  return texts.length === 0 ? html`<span class="quiet">Nothing</span>` : html`${texts.join(', ')}`
}

/** The acts about a person, folded: one change of roles at a time, and not of one's own. */
function managePart(
  { name, email, roles: current, hasTotp, isLinked }: StaffListRow,
  who: SignedIn,
  isInChange: boolean,
): Html {
  const action = `${path}/${encodeURIComponent(email)}`
  const isOwn = email === who.email
  return html`<details class="folded"><summary>Manage<span class="unseen"> ${name}</span></summary>${
    !isOwn &&
    !isInChange &&
    html`<form class="new-roles" method="post" action="${action}/roles">${roleBoxes(current, name)}<input name="reason" aria-label="Reason for changing the roles of ${name}" placeholder="Reason" maxlength="500" required><button class="secondary">Propose to a second admin</button></form>`
  }<div class="inline">${button(`${action}/password`, 'Reset password')}${(hasTotp || isLinked) && !isOwn && button(`${action}/second-factor`, 'Reset second factor')}${!isOwn && button(`${action}/remove`, 'Remove')}</div></details>`
}

/** How the person got their password, if an admin had a part in it. */
const passwordPart = (link: LinkLine | undefined, knownTo: readonly string[]): Html =>
  html`${link && html`<small class="below">${linkText(link)}</small>`}${knownTo.length > 0 && html`<small class="below"><strong>${linkTexts.passwordKnown}</strong></small>`}`

/** Says that a mail is on its way, or shows the link to hand over. */
function linkNotice({ config }: Context, { name, email }: Pick<Staff, 'name' | 'email'>, token: string | null): Html {
  const person = `${name} (${email})`
  return token === null
    ? html`<p class="notice good" role="status">${linkTexts.linkMailed(person)}</p>`
    : html`<p class="notice warn" role="status">${linkTexts.handOver(person)} <code>${linkAddress(config.PARTNER_PUBLIC_URL, token)}</code> ${linkTexts.handOverWarning}</p>`
}

/** Changes users in a transaction. Requires a second factor, so that a stolen password does not suffice. */
const inDeciderTx = <T>(ctx: Context, who: SignedIn, run: (tx: Tx) => Promise<T>): Promise<T> =>
  ctx.db.tx(async (tx) => {
    await lockDecider(tx, who, ctx)
    return run(tx)
  })

const newPersonReason = 'New at the desk.'

const show = deskRoute({
  ...common,
  auth: may('ROLES_CHANGED'),
  method: 'GET',
  path,
  summary: 'The page of users',
  query: Type.Object({ done: Type.Optional(Type.String()) }),
  handle: ({ who, query }, ctx) => peoplePage(ctx, who, query),
})

const visible = new RegExp(visiblePattern, 'u')

const add = deskRoute({
  ...common,
  auth: may('STAFF_ADDED'),
  method: 'POST',
  path,
  summary: 'Add a person',
  accepts: 'raw',
  async handle({ who, raw, at }, ctx) {
    const form = formFrom(raw)
    const input = inputIn(form)
    if (input.name === '') throw new Refusal('invalid', 'enter a name', { field: 'name' })
    if (input.name.length > 100 || !visible.test(input.name))
      throw new Refusal('invalid', 'a name has at most 100 visible characters, in one line', { field: 'name' })
    const email = emailOf(input.email)
    if (email.length > 254)
      throw new Refusal('invalid', 'an email address has at most 254 characters', { field: 'email' })
    if (input.roles.length === 0) throw new Refusal('invalid', 'choose at least one role', { field: 'roles' })
    const token = await inDeciderTx(ctx, who, async (tx) => {
      const linkToken = await inviteStaff(tx, { ...input, roles: ['viewer'] }, linkChannel(ctx.config), {
        account: who,
        at,
      })
      if (input.roles.every((role) => role === 'viewer')) return linkToken
      form.set('reason', newPersonReason)
      await insertProposal(tx, ctx, who, { setting: 'ROLES', subject: email, form, at })
      return linkToken
    })
    return peoplePage(ctx, who, { link: { email, token } })
  },
  onRefusal: ({ who, raw }, refusal, ctx) => refusedPage(ctx, who, refusal, inputIn(formFrom(raw))),
})

const inputIn = (form: URLSearchParams): NonNullable<PeoplePageState['input']> => ({
  name: form.get('name')?.trim() ?? '',
  email: form.get('email') ?? '',
  roles: rolesIn(form),
})

const refusedPage = (ctx: Context, who: SignedIn, refusal: Refusal, input?: PeoplePageState['input']) =>
  peoplePage(ctx, who, { problem: toSentence(refusal.message), ...(input && { input }) }, statusOf(refusal))
const onRefusal: NonNullable<DeskRoute<SignedIn>['onRefusal']> = ({ who }, refusal, ctx) =>
  refusedPage(ctx, who, refusal)

const changeRoles = deskRoute({
  ...common,
  auth: may('ROLES_CHANGED'),
  method: 'POST',
  path: `${path}/{email}/roles`,
  params,
  summary: 'Propose roles of a person',
  accepts: 'raw',
  async handle({ who, params: { email }, raw, at }, ctx) {
    await proposeChange(ctx, who, { setting: 'ROLES', subject: emailOf(email), form: formFrom(raw), at })
    return goTo(`${path}?done=CHANGE_PROPOSED`)
  },
  onRefusal,
})

const remove = deskRoute({
  ...common,
  auth: may('STAFF_REMOVED'),
  method: 'POST',
  path: `${path}/{email}/remove`,
  params,
  summary: 'Remove a person',
  accepts: 'raw',
  async handle({ who, params: { email }, at }, ctx) {
    await inDeciderTx(ctx, who, (tx) => removeFromStaff(tx, email, { account: who, at }))
    return goTo(`${path}?done=STAFF_REMOVED`)
  },
  onRefusal,
})

const password = deskRoute({
  ...common,
  auth: may('STAFF_PASSWORD'),
  method: 'POST',
  path: `${path}/{email}/password`,
  params,
  summary: 'Reset the password of a person, who chooses another through a link',
  accepts: 'raw',
  async handle({ who, params: { email }, at }, ctx) {
    const token = await inDeciderTx(ctx, who, (tx) =>
      resetPassword(tx, email, linkChannel(ctx.config), { account: who, at }),
    )
    return peoplePage(ctx, who, { link: { email: emailOf(email), token } })
  },
  onRefusal,
})

const secondFactor = deskRoute({
  ...common,
  auth: may('SECOND_FACTOR_RESET'),
  method: 'POST',
  path: `${path}/{email}/second-factor`,
  params,
  summary: 'Remove the second factor of a person who lost it',
  accepts: 'raw',
  async handle({ who, params: { email }, at }, ctx) {
    await inDeciderTx(ctx, who, (tx) => resetSecondFactor(tx, email, { account: who, at }))
    return goTo(`${path}?done=SECOND_FACTOR_RESET`)
  },
  onRefusal,
})

export const peopleRoutes = [show, add, password, secondFactor, changeRoles, remove]
