// People of the console over real HTTP: invitations, roles and tenant isolation.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { keyOf } from '#kit/staff/person.ts'
import { mailsAbout } from '#platform/mail/queue-mail.ts'
import { outgoingMailWorker } from '#platform/mail/send.ts'
import { listNewest } from '#platform/staff/audit/store.ts'
import { removePerson } from '#platform/staff/people.ts'
import { platformTenant } from '#platform/staff/person.ts'
import { type ConsoleUser, consolePassword, consoleUser, userWith } from '#test/setup/console.ts'
import { mailServer } from '#test/setup/mail-server.ts'
import { ask, testPlatform } from '#test/setup/platform.ts'
import { until } from '#test/setup/programs.ts'

let now = Date.parse('2026-11-21T10:00:00Z')
const platform = await testPlatform({}, () => new Date(now))
const { url, ctx, tenant, secondTenant } = platform
const days = (count: number) => {
  now += count * 86_400_000
}

const accept = (token: string, more: object = {}) =>
  ask(`${url}/api/console/invitations/accept`, {
    method: 'POST',
    body: { token, name: 'Nita Rao', password: consolePassword, ...more },
  })
const tokenIn = (link: string) => link.split('#')[1]!
const admin = () => consoleUser(platform, { role: 'admin' })
const tenantAdmin = (of = tenant) => consoleUser(platform, { role: 'admin', tenantId: of.tenantId })

test('rejects an invitation to an invalid email address, also with a mail server', async () => {
  const boss = await admin()
  for (const email of ['<a@b.example>', 'a@b.example,c@d.example', '"a"@b.example', 'a@[10.0.0.1]', 'a@@b.example']) {
    const { status, body } = await boss.ask('POST', '/people/invitations', { email, name: 'Nita', role: 'operator' })
    assert.deepEqual([status, body.error.details.field], [400, 'email'], email)
  }
})

test('an invited person sets a password, and the single-use link is stored as a digest', async () => {
  const boss = await admin()
  const order = { email: ' Nita@Lendloom.example ', name: 'Nita', role: 'operator' }
  const invited = await boss.ask('POST', '/people/invitations', order)
  assert.equal(invited.status, 201)
  const { link, ...invitation } = invited.body
  assert.deepEqual(
    [invitation.email, invitation.role, invitation.tenantId, invitation.mailed],
    ['nita@lendloom.example', 'operator', null, false],
  )
  assert.match(link, new RegExp(`^${url}/console/invitation#[\\w-]{86}$`))
  const { mailed: _, ...open } = invitation
  assert.deepEqual((await boss.ask('GET', '/people/invitations')).body, { items: [open], next: null })
  const kept = await ctx.db<{ row: string }>`select person_invitation::text as row from person_invitation`
  assert.ok(!kept.some(({ row }) => /nita/i.test(row) || row.includes(tokenIn(link))))

  const short = await accept(tokenIn(link), { password: 'short' })
  assert.deepEqual([short.status, short.body.error.details.field], [400, 'password'])
  const together = await Promise.all([accept(tokenIn(link)), accept(tokenIn(link)), accept(tokenIn(link))])
  assert.deepEqual(together.map(({ status }) => status).sort(), [200, 404, 404])
  const entered = together.find(({ status }) => status === 200)!
  const { person } = entered.body
  assert.deepEqual([person.email, person.name, person.role], ['nita@lendloom.example', 'Nita Rao', 'operator'])
  const cookie = entered.headers.getSetCookie()[0]!.split(';')[0]!
  const nita = userWith(url, cookie, { ...person, sessionId: '' })
  assert.equal((await nita.ask('GET', '/me')).body.person.personId, person.personId)
  assert.deepEqual((await boss.ask('GET', '/people/invitations')).body.items, [])
  const again = await boss.ask('POST', '/people/invitations', order)
  assert.deepEqual([again.status, again.body.error.code], [409, 'STATE_PRECONDITION_FAILED'])
})

test('an invitation expires after seven days, can be withdrawn and is replaced by a newer one', async () => {
  const boss = await admin()
  const invite = async (email: string) =>
    (await boss.ask('POST', '/people/invitations', { email, name: 'X', role: 'viewer' })).body
  const late = await invite('late@lendloom.example')
  const first = await invite('twice@lendloom.example')
  const second = await invite('twice@lendloom.example')
  const gone = await invite('gone@lendloom.example')
  assert.equal((await boss.ask('DELETE', `/people/invitations/${gone.invitationId}`)).status, 204)
  assert.equal((await boss.ask('DELETE', `/people/invitations/${gone.invitationId}`)).status, 404)
  const other = Buffer.from(tokenIn(late.link), 'base64url')
  other[63]! ^= 1
  const made = [other.toString('base64url'), 'x', 'A'.repeat(86), tokenIn(first.link), tokenIn(gone.link)]
  for (const token of made) assert.equal((await accept(token)).status, 404, token)
  assert.equal((await accept(tokenIn(second.link))).status, 200)
  days(7)
  assert.equal((await accept(tokenIn(late.link))).status, 404)
})

test('mails the link if a mail server is configured, and then does not show it', async () => {
  const server = await mailServer()
  const mailing = await testPlatform({ SMTP_URL: server.url, ALERT_FROM: 'console@lendloom.example' })
  const boss = await consoleUser(mailing, { role: 'admin', name: 'Anil' })
  const order = { email: 'ravi@pay.example', name: 'Ravi', role: 'developer', tenantId: tenant.tenantId }
  const { body } = await boss.ask('POST', '/people/invitations', order)
  assert.deepEqual([body.mailed, body.link], [true, null])
  const worker = outgoingMailWorker(mailing.ctx)
  const [mail] = await until('it came', () => (server.mails.length === 1 ? server.mails : undefined))
  await worker.stop()
  assert.deepEqual([mail!.from, mail!.to], ['console@lendloom.example', ['ravi@pay.example']])
  const text = mail!.text.replaceAll('=\r\n', '').replaceAll('=3D', '=')
  assert.match(text, /Anil invites you/)
  const token = /\/console\/invitation#([\w-]{86})/.exec(text)![1]!
  const entered = await ask(`${mailing.url}/api/console/invitations/accept`, {
    method: 'POST',
    body: { token, name: 'Ravi', password: consolePassword },
  })
  assert.deepEqual([entered.status, entered.body.person.tenantId], [200, tenant.tenantId])
  const sent = await mailsAbout(mailing.ctx.db, tenant.tenantId, 'invitation', body.invitationId)
  assert.deepEqual(
    sent.map(({ state, tries }) => [state, tries]),
    [['SENT', 1]],
  )
})

test('rejects invalid fields of an invitation by name', async () => {
  const boss = await admin()
  const right = { email: 'new@lendloom.example', name: 'New', role: 'viewer' }
  for (const [change, field] of [
    [{ email: 'no address' }, 'email'],
    [{ name: ' ' }, 'name'],
    [{ role: 'developer' }, 'role'],
    [{ role: 'owner' }, 'role'],
    [{ role: 'operator', tenantId: tenant.tenantId }, 'role'],
    [{ tenantId: 'x' }, 'tenantId'],
    [{ colour: 'red' }, 'colour'],
  ] as const) {
    const refused = await boss.ask('POST', '/people/invitations', { ...right, ...change })
    assert.deepEqual([refused.status, refused.body.error.details.field], [400, field], JSON.stringify(change))
  }
  const nobodys = '01930000-0000-7000-8000-00000000dead'
  assert.equal((await boss.ask('POST', '/people/invitations', { ...right, tenantId: nobodys })).status, 404)
})

test('an email address belongs to one person across tenants, and is free after removal', async () => {
  const [one, two] = [await tenantAdmin(), await tenantAdmin(secondTenant)]
  const order = { name: 'Sam', role: 'viewer' }
  const first = await one.ask('POST', '/people/invitations', { ...order, email: 'sam@both.example' })
  const second = await two.ask('POST', '/people/invitations', { ...order, email: 'SAM@both.example' })
  assert.equal(second.status, 201, 'of people of another tenant nothing is told')
  const sam = await accept(tokenIn(first.body.link))
  assert.equal(sam.status, 200)
  const [taken, used] = [await accept(tokenIn(second.body.link)), await accept(tokenIn(first.body.link))]
  assert.deepEqual(
    [taken.status, taken.body.error],
    [404, used.body.error],
    'a link does not tell whether its address is somebody’s',
  )
  assert.equal((await one.ask('DELETE', `/people/${sam.body.person.personId}`)).status, 204)
  const cookie = sam.headers.getSetCookie()[0]!.split(';')[0]!
  assert.equal((await ask(`${url}/api/console/me`, { headers: { cookie } })).status, 401)
  const signIn = { email: 'sam@both.example', password: consolePassword }
  assert.equal((await ask(`${url}/api/console/sign-in`, { method: 'POST', body: signIn })).status, 401)
  const moved = await accept(tokenIn(second.body.link))
  assert.deepEqual([moved.status, moved.body.person.tenantId], [200, secondTenant.tenantId])
})

test('a changed role applies to the next request, and the last admin cannot be demoted or removed', async () => {
  const lone = await testPlatform()
  for (const tenantId of [null, lone.tenant.tenantId]) {
    const boss = await consoleUser(lone, { role: 'admin', tenantId })
    const other = await consoleUser(lone, { role: 'viewer', tenantId })
    const [mine, theirs] = [`/people/${boss.person.personId}`, `/people/${other.person.personId}`]
    assert.equal((await other.ask('GET', '/people')).status, 403)
    for (const refused of [await boss.ask('DELETE', mine), await boss.ask('PATCH', mine, { role: 'viewer' })])
      assert.deepEqual([refused.status, refused.body.error.code], [409, 'STATE_PRECONDITION_FAILED'])
    assert.equal((await boss.ask('PATCH', theirs, { role: tenantId ? 'operator' : 'support' })).status, 400)
    assert.equal((await boss.ask('PATCH', theirs, { role: 'admin' })).status, 204)
    assert.equal((await other.ask('GET', '/people')).status, 200)
    const removing = (by: ConsoleUser, who: ConsoleUser) =>
      lone.ctx.db.tx((tx) => removePerson({ ...lone.ctx, tx, at: new Date() }, by.person, keyOf(who.person)))
    const both = await Promise.allSettled([removing(boss, other), removing(other, boss)])
    assert.deepEqual(
      both.map(({ status }) => status).sort(),
      ['fulfilled', 'rejected'],
      'they do not remove each other',
    )
  }
})

test('lists people with their role, page by page', async () => {
  const boss = await tenantAdmin(secondTenant)
  for (let i = 0; i < 3; i++) await consoleUser(platform, { role: 'viewer', tenantId: secondTenant.tenantId })
  const whole = (await boss.ask('GET', '/people')).body.items
  assert.ok(whole.every(({ tenantId }: { tenantId: string }) => tenantId === secondTenant.tenantId))
  const seen = []
  for (let after = ''; ; ) {
    const { body } = await boss.ask('GET', `/people?limit=2${after}`)
    assert.ok(body.items.length <= 2)
    seen.push(...body.items)
    if (body.next === null) break
    after = `&after=${body.next}`
  }
  assert.deepEqual(seen, whole)
  for (const [query, field] of [
    ['limit=201', 'limit'],
    ['limit=0', 'limit'],
    ['after=x', 'after'],
    ['colour=red', 'colour'],
  ])
    assert.equal((await boss.ask('GET', `/people?${query}`)).body.error.details.field, field)
})

test('only admins change people, and only admins and operators see people and the audit log', async () => {
  const target = await consoleUser(platform, { role: 'viewer' })
  const inTenant = await consoleUser(platform, { role: 'viewer', tenantId: tenant.tenantId })
  const changing = (personId: string): [string, string, object?][] => [
    ['POST', '/people/invitations', { email: 'z@z.example', name: 'Z', role: 'viewer' }],
    ['DELETE', `/people/invitations/${personId}`],
    ['PATCH', `/people/${personId}`, { role: 'admin' }],
    ['DELETE', `/people/${personId}`],
  ]
  const reading = ['/people', '/people/invitations', '/audit']
  for (const role of ['viewer', 'operator', 'grievance-officer'] as const) {
    const user = await consoleUser(platform, { role })
    for (const [method, path, body] of changing(target.person.personId))
      assert.equal((await user.ask(method, path, body)).status, 403, `${role} ${method} ${path}`)
    for (const path of reading)
      assert.equal((await user.ask('GET', path)).status, role === 'operator' ? 200 : 403, role)
  }
  for (const role of ['viewer', 'developer', 'support'] as const) {
    const user = await consoleUser(platform, { role, tenantId: tenant.tenantId })
    for (const [method, path, body] of changing(inTenant.person.personId))
      assert.equal((await user.ask(method, path, body)).status, 403, `${role} ${method} ${path}`)
    for (const path of reading) assert.equal((await user.ask('GET', path)).status, 403, role)
  }
})

test('people of other tenants and of the platform look absent to tenant staff', async () => {
  const [mine, theirs, ours] = [await tenantAdmin(), await tenantAdmin(secondTenant), await admin()]
  const invited = await theirs.ask('POST', '/people/invitations', { email: 'q@q.example', name: 'Q', role: 'viewer' })
  const foreign = secondTenant.tenantId
  const nil = '01930000-0000-7000-8000-00000000dead'
  const tried: [string, string, object?][] = [
    ...[foreign, nil].flatMap((of): [string, string][] => [
      ['GET', `/people?tenantId=${of}`],
      ['GET', `/people/invitations?tenantId=${of}`],
      ['GET', `/audit?tenantId=${of}`],
    ]),
    ['POST', '/people/invitations', { email: 'w@w.example', name: 'W', role: 'viewer', tenantId: foreign }],
    ...[theirs, ours].flatMap(({ person }): [string, string, object?][] => [
      ['PATCH', `/people/${person.personId}`, { role: 'viewer' }],
      ['PATCH', `/people/${person.personId}?tenantId=${foreign}`, { role: 'viewer' }],
      ['DELETE', `/people/${person.personId}`],
      ['DELETE', `/people/${person.personId}?tenantId=${foreign}`],
      ['DELETE', `/sessions/${person.sessionId}`],
    ]),
    ['DELETE', `/people/invitations/${invited.body.invitationId}`],
    ['DELETE', `/people/invitations/${invited.body.invitationId}?tenantId=${foreign}`],
  ]
  for (const [method, path, body] of tried) {
    const refused = await mine.ask(method, path, body)
    assert.deepEqual([refused.status, refused.body.error.code], [404, 'RESOURCE_NOT_FOUND'], `${method} ${path}`)
  }
  assert.equal((await mine.ask('GET', `/people?tenantId=${tenant.tenantId.toUpperCase()}`)).status, 200)
  for (const path of ['/people', '/people/invitations', '/audit', '/sessions']) {
    const text = JSON.stringify((await mine.ask('GET', path)).body)
    for (const hidden of [theirs.person.personId, ours.person.email, 'q@q.example', secondTenant.tenantId])
      assert.ok(!text.includes(hidden), `${path} ${hidden}`)
  }
  for (const user of [theirs, ours]) assert.equal((await user.ask('GET', '/me')).status, 200)
  assert.equal((await accept(tokenIn(invited.body.link))).status, 200, 'nothing was withdrawn')
})

test('a platform admin’s act for a tenant is in the tenant’s audit log', async () => {
  const boss = await consoleUser(platform, { role: 'admin', name: 'Anil Deshmukh' })
  const owner = await tenantAdmin()
  const of = `?tenantId=${tenant.tenantId}`
  const target = await consoleUser(platform, { role: 'viewer', tenantId: tenant.tenantId })
  assert.equal((await boss.ask('DELETE', `/people/${target.person.personId}`)).status, 404, 'not of the platform')
  assert.equal((await boss.ask('PATCH', `/people/${target.person.personId}${of}`, { role: 'support' })).status, 204)
  assert.equal((await boss.ask('DELETE', `/people/${target.person.personId}${of}`)).status, 204)
  const { body } = await owner.ask('GET', '/audit?limit=2')
  assert.deepEqual(
    body.items.map(({ act, personName, subject, detail }: Record<string, unknown>) => [
      act,
      personName,
      subject,
      detail,
    ]),
    [
      ['PERSON_REMOVED', 'Anil Deshmukh', target.person.personId, { role: 'support' }],
      ['PERSON_ROLE', 'Anil Deshmukh', target.person.personId, { before: 'viewer', after: 'support' }],
    ],
  )
  const older = await owner.ask('GET', `/audit?limit=1&after=${body.next}`)
  assert.equal(older.body.items[0].sequence, body.items[1].sequence - 1)
  assert.equal((await owner.ask('GET', '/audit?after=x')).status, 400)
  const own = (await listNewest(ctx.db, platformTenant, null, 1000)).map(({ subject }) => subject)
  assert.ok(!own.includes(target.person.personId), 'the platform’s log has what concerns the platform')
})

test('rejects a name with line breaks or a link, because mails contain it', async () => {
  const boss = await admin()
  for (const name of [
    'Nita\r\nSee https://evil.example',
    'Nita\u2028Rao',
    'evil.example',
    'EVIL.COM',
    '<b>Nita</b>',
    'www.evil',
    ' ',
  ]) {
    const refused = await boss.ask('POST', '/people/invitations', { email: 'n@b.example', name, role: 'viewer' })
    assert.deepEqual([refused.status, refused.body.error?.details.field], [400, 'name'], JSON.stringify(name))
  }
  for (const [i, name] of ['A.R. Rahman', "Dr. Nita O'Rao-Iyer", 'शर्मिष्ठा', 'ക്\u200dഷ'].entries()) {
    const order = { email: `name${i}@b.example`, name, role: 'viewer' }
    assert.equal((await boss.ask('POST', '/people/invitations', order)).status, 201, name)
  }
})
