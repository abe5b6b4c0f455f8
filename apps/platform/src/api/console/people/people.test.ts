// People of the console over real HTTP: invitations, roles and tenant isolation.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { keyOf } from '@lendloom/identity/person'
import { type ConsoleUser, consolePassword, consoleUser, userWith } from '@lendloom/tests/setup/console'
import { mailServer } from '@lendloom/tests/setup/mail-server'
import { ask, testPlatform } from '@lendloom/tests/setup/platform'
import { until } from '@lendloom/tests/setup/programs'
import { listMailsAbout } from '#platform/mail/queue-mail.ts'
import { outgoingMailWorker } from '#platform/mail/send-mail.ts'
import { listNewest } from '#platform/people/audit/store.ts'
import { removePerson } from '#platform/people/manage-people.ts'
import { platformTenant } from '#platform/people/person.ts'

let now = Date.parse('2026-11-21T10:00:00Z')
const platform = await testPlatform({}, () => new Date(now))
const { url, ctx, tenant, secondTenant } = platform
const advanceDays = (count: number) => {
  now += count * 86_400_000
}

const accept = (token: string, change: object = {}) =>
  ask(`${url}/api/console/invitations/accept`, {
    method: 'POST',
    body: { token, name: 'Nita Rao', password: consolePassword, ...change },
  })
const tokenIn = (link: string) => link.split('#')[1]!
const platformAdmin = () => consoleUser(platform, { role: 'admin' })
const tenantAdmin = (owner = tenant) => consoleUser(platform, { role: 'admin', tenantId: owner.tenantId })

test('rejects an invitation to an invalid email address', async () => {
  const boss = await platformAdmin()
  for (const email of ['<a@b.example>', 'a@b.example,c@d.example', '"a"@b.example', 'a@[10.0.0.1]', 'a@@b.example']) {
    const { status, body } = await boss.ask('POST', '/people/invitations', { email, name: 'Nita', role: 'operator' })
    assert.equal(status, 400, email)
    assert.equal(body.error.details.field, 'email', email)
  }
})

test('an invited person sets a password through a single-use link, which is stored as a digest', async () => {
  const boss = await platformAdmin()
  const request = { email: ' Nita@Lendloom.example ', name: 'Nita', role: 'operator' }
  const invitationReply = await boss.ask('POST', '/people/invitations', request)
  assert.equal(invitationReply.status, 201)
  const { link, ...invitation } = invitationReply.body
  assert.equal(invitation.email, 'nita@lendloom.example')
  assert.equal(invitation.role, 'operator')
  assert.equal(invitation.tenantId, null)
  assert.equal(invitation.mailed, false)
  assert.match(link, new RegExp(`^${url}/console/invitation#[\\w-]{86}$`))
  const { mailed: _, ...openInvitation } = invitation
  assert.deepEqual((await boss.ask('GET', '/people/invitations')).body, { items: [openInvitation], next: null })
  const rows = await ctx.db<{ row: string }>`select person_invitation::text as row from person_invitation`
  assert.ok(!rows.some(({ row }) => /nita/i.test(row) || row.includes(tokenIn(link))))

  const shortPassword = await accept(tokenIn(link), { password: 'short' })
  assert.equal(shortPassword.status, 400)
  assert.equal(shortPassword.body.error.details.field, 'password')
  const concurrent = await Promise.all([accept(tokenIn(link)), accept(tokenIn(link)), accept(tokenIn(link))])
  assert.deepEqual(concurrent.map(({ status }) => status).sort(), [200, 404, 404])
  const accepted = concurrent.find(({ status }) => status === 200)!
  const { person } = accepted.body
  assert.equal(person.email, 'nita@lendloom.example')
  assert.equal(person.name, 'Nita Rao')
  assert.equal(person.role, 'operator')
  const cookie = accepted.headers.getSetCookie()[0]!.split(';')[0]!
  const nita = userWith(url, cookie, { ...person, sessionId: '' })
  assert.equal((await nita.ask('GET', '/me')).body.person.personId, person.personId)
  assert.deepEqual((await boss.ask('GET', '/people/invitations')).body.items, [])
  const secondInvitation = await boss.ask('POST', '/people/invitations', request)
  assert.equal(secondInvitation.status, 409)
  assert.equal(secondInvitation.body.error.code, 'STATE_PRECONDITION_FAILED')
})

test('an invitation expires after seven days, can be withdrawn and is replaced by a newer one', async () => {
  const boss = await platformAdmin()
  const invite = async (email: string) =>
    (await boss.ask('POST', '/people/invitations', { email, name: 'X', role: 'viewer' })).body
  const expired = await invite('late@lendloom.example')
  const first = await invite('twice@lendloom.example')
  const second = await invite('twice@lendloom.example')
  const withdrawn = await invite('gone@lendloom.example')
  assert.equal((await boss.ask('DELETE', `/people/invitations/${withdrawn.invitationId}`)).status, 204)
  assert.equal((await boss.ask('DELETE', `/people/invitations/${withdrawn.invitationId}`)).status, 404)
  const forgedToken = Buffer.from(tokenIn(expired.link), 'base64url')
  forgedToken[63]! ^= 1
  const invalidTokens = [
    forgedToken.toString('base64url'),
    'x',
    'A'.repeat(86),
    tokenIn(first.link),
    tokenIn(withdrawn.link),
  ]
  for (const token of invalidTokens) assert.equal((await accept(token)).status, 404, token)
  assert.equal((await accept(tokenIn(second.link))).status, 200)
  advanceDays(7)
  assert.equal((await accept(tokenIn(expired.link))).status, 404)
})

test('mails the invitation link instead of returning it if a mail server is configured', async () => {
  const server = await mailServer()
  const withMail = await testPlatform({ SMTP_URL: server.url, ALERT_FROM: 'console@lendloom.example' })
  const boss = await consoleUser(withMail, { role: 'admin', name: 'Anil' })
  const request = { email: 'ravi@pay.example', name: 'Ravi', role: 'developer', tenantId: tenant.tenantId }
  const { body } = await boss.ask('POST', '/people/invitations', request)
  assert.equal(body.mailed, true)
  assert.equal(body.link, null)
  const worker = outgoingMailWorker(withMail.ctx)
  const [mail] = await until('the mail', () => (server.mails.length === 1 ? server.mails : undefined))
  await worker.stop()
  assert.equal(mail!.from, 'console@lendloom.example')
  assert.deepEqual(mail!.to, ['ravi@pay.example'])
  const text = mail!.text.replaceAll('=\r\n', '').replaceAll('=3D', '=')
  assert.match(text, /Anil invites you to the Lendloom console of .+, with the role Developer\./)
  const token = /\/console\/invitation#([\w-]{86})/.exec(text)![1]!
  const accepted = await ask(`${withMail.url}/api/console/invitations/accept`, {
    method: 'POST',
    body: { token, name: 'Ravi', password: consolePassword },
  })
  assert.equal(accepted.status, 200)
  assert.equal(accepted.body.person.tenantId, tenant.tenantId)
  const mails = await listMailsAbout(withMail.ctx.db, tenant.tenantId, 'invitation', body.invitationId)
  assert.deepEqual(
    mails.map(({ state, tries }) => ({ state, tries })),
    [{ state: 'SENT', tries: 1 }],
  )
})

test('a valid link shows the team, the role and the inviter; a used, withdrawn or forged link shows nothing', async () => {
  const boss = await tenantAdmin()
  const view = (token: string) => ask(`${url}/api/console/invitations/view`, { method: 'POST', body: { token } })
  const invited = async (email: string) => {
    const request = { email, name: 'Nita', role: 'developer' }
    const { body } = await boss.ask('POST', '/people/invitations', request)
    return { invitationId: body.invitationId, token: tokenIn(body.link) }
  }
  const first = await invited('view1@pay.example')
  const second = await invited('view2@pay.example')
  const shown = await view(first.token)
  const { name: team } = (await boss.ask('GET', '/me')).body.tenants[0]
  assert.equal(shown.status, 200)
  assert.deepEqual(shown.body, {
    email: 'view1@pay.example',
    name: 'Nita',
    role: 'developer',
    tenant: team,
    inviter: boss.person.name,
  })
  assert.equal((await accept(first.token)).status, 200)
  await boss.ask('DELETE', `/people/invitations/${second.invitationId}`)
  for (const token of [first.token, second.token, `${second.token.slice(0, -4)}AAAA`, 'x']) {
    const { status, body } = await view(token)
    assert.equal(status, 404, token)
    assert.equal(JSON.stringify(body).includes('pay.example'), false, token)
  }
})

test('names each invalid field of an invitation', async () => {
  const boss = await platformAdmin()
  const validRequest = { email: 'new@lendloom.example', name: 'New', role: 'viewer' }
  for (const [change, field] of [
    [{ email: 'no address' }, 'email'],
    [{ name: ' ' }, 'name'],
    [{ role: 'developer' }, 'role'],
    [{ role: 'owner' }, 'role'],
    [{ role: 'operator', tenantId: tenant.tenantId }, 'role'],
    [{ tenantId: 'x' }, 'tenantId'],
    [{ colour: 'red' }, 'colour'],
  ] as const) {
    const refused = await boss.ask('POST', '/people/invitations', { ...validRequest, ...change })
    assert.equal(refused.status, 400, JSON.stringify(change))
    assert.equal(refused.body.error.details.field, field, JSON.stringify(change))
  }
  const unknownTenantId = '01930000-0000-7000-8000-00000000dead'
  assert.equal(
    (await boss.ask('POST', '/people/invitations', { ...validRequest, tenantId: unknownTenantId })).status,
    404,
  )
})

test('an email address belongs to one person across tenants until that person is removed', async () => {
  const firstAdmin = await tenantAdmin()
  const secondAdmin = await tenantAdmin(secondTenant)
  const request = { name: 'Sam', role: 'viewer' }
  const first = await firstAdmin.ask('POST', '/people/invitations', { ...request, email: 'sam@both.example' })
  const second = await secondAdmin.ask('POST', '/people/invitations', { ...request, email: 'SAM@both.example' })
  assert.equal(second.status, 201, 'an invitation does not reveal people of another tenant')
  const sam = await accept(tokenIn(first.body.link))
  assert.equal(sam.status, 200)
  const usedAddressReply = await accept(tokenIn(second.body.link))
  const usedLinkReply = await accept(tokenIn(first.body.link))
  assert.equal(usedAddressReply.status, 404)
  assert.deepEqual(
    usedAddressReply.body.error,
    usedLinkReply.body.error,
    'the error does not reveal whether the address is in use',
  )
  assert.equal((await firstAdmin.ask('DELETE', `/people/${sam.body.person.personId}`)).status, 204)
  const cookie = sam.headers.getSetCookie()[0]!.split(';')[0]!
  assert.equal((await ask(`${url}/api/console/me`, { headers: { cookie } })).status, 401)
  const signIn = { email: 'sam@both.example', password: consolePassword }
  assert.equal((await ask(`${url}/api/console/sign-in`, { method: 'POST', body: signIn })).status, 401)
  const accepted = await accept(tokenIn(second.body.link))
  assert.equal(accepted.status, 200)
  assert.equal(accepted.body.person.tenantId, secondTenant.tenantId)
})

test('a role change applies from the next request; the last admin cannot be demoted or removed', async () => {
  const newPlatform = await testPlatform()
  for (const tenantId of [null, newPlatform.tenant.tenantId]) {
    const boss = await consoleUser(newPlatform, { role: 'admin', tenantId })
    const other = await consoleUser(newPlatform, { role: 'viewer', tenantId })
    const ownPath = `/people/${boss.person.personId}`
    const otherPath = `/people/${other.person.personId}`
    assert.equal((await other.ask('GET', '/people')).status, 403)
    for (const refused of [await boss.ask('DELETE', ownPath), await boss.ask('PATCH', ownPath, { role: 'viewer' })]) {
      assert.equal(refused.status, 409)
      assert.equal(refused.body.error.code, 'STATE_PRECONDITION_FAILED')
    }
    assert.equal((await boss.ask('PATCH', otherPath, { role: tenantId ? 'operator' : 'support' })).status, 400)
    assert.equal((await boss.ask('PATCH', otherPath, { role: 'admin' })).status, 204)
    assert.equal((await other.ask('GET', '/people')).status, 200)
    const remove = (by: ConsoleUser, who: ConsoleUser) =>
      newPlatform.ctx.db.tx((tx) =>
        removePerson({ ...newPlatform.ctx, tx, at: new Date() }, by.person, keyOf(who.person)),
      )
    const results = await Promise.allSettled([remove(boss, other), remove(other, boss)])
    assert.deepEqual(
      results.map(({ status }) => status).sort(),
      ['fulfilled', 'rejected'],
      'two admins cannot remove each other at once',
    )
  }
})

test('lists only people of the tenant, page by page', async () => {
  const boss = await tenantAdmin(secondTenant)
  for (let i = 0; i < 3; i++) await consoleUser(platform, { role: 'viewer', tenantId: secondTenant.tenantId })
  const fullList = (await boss.ask('GET', '/people')).body.items
  assert.ok(fullList.every(({ tenantId }: { tenantId: string }) => tenantId === secondTenant.tenantId))
  const pagedItems = []
  for (let after = ''; ; ) {
    const { body } = await boss.ask('GET', `/people?limit=2${after}`)
    assert.ok(body.items.length <= 2)
    pagedItems.push(...body.items)
    if (body.next === null) break
    after = `&after=${body.next}`
  }
  assert.deepEqual(pagedItems, fullList)
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
  const tenantViewer = await consoleUser(platform, { role: 'viewer', tenantId: tenant.tenantId })
  const changeRequests = (personId: string): [string, string, object?][] => [
    ['POST', '/people/invitations', { email: 'z@z.example', name: 'Z', role: 'viewer' }],
    ['DELETE', `/people/invitations/${personId}`],
    ['PATCH', `/people/${personId}`, { role: 'admin' }],
    ['DELETE', `/people/${personId}`],
  ]
  const readPaths = ['/people', '/people/invitations', '/audit']
  for (const role of ['viewer', 'operator', 'grievance-officer'] as const) {
    const user = await consoleUser(platform, { role })
    for (const [method, path, body] of changeRequests(target.person.personId))
      assert.equal((await user.ask(method, path, body)).status, 403, `${role} ${method} ${path}`)
    for (const path of readPaths)
      assert.equal((await user.ask('GET', path)).status, role === 'operator' ? 200 : 403, role)
  }
  for (const role of ['viewer', 'developer', 'support'] as const) {
    const user = await consoleUser(platform, { role, tenantId: tenant.tenantId })
    for (const [method, path, body] of changeRequests(tenantViewer.person.personId))
      assert.equal((await user.ask(method, path, body)).status, 403, `${role} ${method} ${path}`)
    for (const path of readPaths) assert.equal((await user.ask('GET', path)).status, 403, role)
  }
})

test('people of other tenants and of the platform look absent to tenant staff', async () => {
  const ownAdmin = await tenantAdmin()
  const otherAdmin = await tenantAdmin(secondTenant)
  const adminOfPlatform = await platformAdmin()
  const invitation = await otherAdmin.ask('POST', '/people/invitations', {
    email: 'q@q.example',
    name: 'Q',
    role: 'viewer',
  })
  const otherTenant = secondTenant.tenantId
  const unknownTenantId = '01930000-0000-7000-8000-00000000dead'
  const requests: [string, string, object?][] = [
    ...[otherTenant, unknownTenantId].flatMap((otherTenantId): [string, string][] => [
      ['GET', `/people?tenantId=${otherTenantId}`],
      ['GET', `/people/invitations?tenantId=${otherTenantId}`],
      ['GET', `/audit?tenantId=${otherTenantId}`],
    ]),
    ['POST', '/people/invitations', { email: 'w@w.example', name: 'W', role: 'viewer', tenantId: otherTenant }],
    ...[otherAdmin, adminOfPlatform].flatMap(({ person }): [string, string, object?][] => [
      ['PATCH', `/people/${person.personId}`, { role: 'viewer' }],
      ['PATCH', `/people/${person.personId}?tenantId=${otherTenant}`, { role: 'viewer' }],
      ['DELETE', `/people/${person.personId}`],
      ['DELETE', `/people/${person.personId}?tenantId=${otherTenant}`],
      ['DELETE', `/sessions/${person.sessionId}`],
    ]),
    ['DELETE', `/people/invitations/${invitation.body.invitationId}`],
    ['DELETE', `/people/invitations/${invitation.body.invitationId}?tenantId=${otherTenant}`],
  ]
  for (const [method, path, body] of requests) {
    const refused = await ownAdmin.ask(method, path, body)
    assert.equal(refused.status, 404, `${method} ${path}`)
    assert.equal(refused.body.error.code, 'RESOURCE_NOT_FOUND', `${method} ${path}`)
  }
  assert.equal((await ownAdmin.ask('GET', `/people?tenantId=${tenant.tenantId.toUpperCase()}`)).status, 200)
  for (const path of ['/people', '/people/invitations', '/audit', '/sessions']) {
    const text = JSON.stringify((await ownAdmin.ask('GET', path)).body)
    for (const hidden of [
      otherAdmin.person.personId,
      adminOfPlatform.person.email,
      'q@q.example',
      secondTenant.tenantId,
    ])
      assert.ok(!text.includes(hidden), `${path} ${hidden}`)
  }
  for (const user of [otherAdmin, adminOfPlatform]) assert.equal((await user.ask('GET', '/me')).status, 200)
  assert.equal((await accept(tokenIn(invitation.body.link))).status, 200, 'the invitation is still open')
})

test('a platform admin’s act for a tenant is in the tenant’s audit log', async () => {
  const boss = await consoleUser(platform, { role: 'admin', name: 'Anil Deshmukh' })
  const owner = await tenantAdmin()
  const tenantQuery = `?tenantId=${tenant.tenantId}`
  const earlier = { email: 'earlier@pay.example', name: 'Nita', role: 'viewer' }
  assert.equal((await owner.ask('POST', '/people/invitations', earlier)).status, 201)
  const target = await consoleUser(platform, { role: 'viewer', tenantId: tenant.tenantId })
  assert.equal(
    (await boss.ask('DELETE', `/people/${target.person.personId}`)).status,
    404,
    'the person belongs to the tenant, not to the platform',
  )
  assert.equal(
    (await boss.ask('PATCH', `/people/${target.person.personId}${tenantQuery}`, { role: 'support' })).status,
    204,
  )
  assert.equal((await boss.ask('DELETE', `/people/${target.person.personId}${tenantQuery}`)).status, 204)
  const { body } = await owner.ask('GET', '/audit?limit=2')
  assert.deepEqual(
    body.items.map(({ act, personName, subject, detail }: Record<string, unknown>) => ({
      act,
      personName,
      subject,
      detail,
    })),
    [
      {
        act: 'PERSON_REMOVED',
        personName: 'Anil Deshmukh',
        subject: target.person.personId,
        detail: { role: 'support' },
      },
      {
        act: 'PERSON_ROLE',
        personName: 'Anil Deshmukh',
        subject: target.person.personId,
        detail: { before: 'viewer', after: 'support' },
      },
    ],
  )
  const invited = (await owner.ask('GET', '/audit?act=PERSON_INVITED&limit=1')).body.items[0]
  assert.equal(invited.subjectName, 'Nita', 'an invited person has a name, not only an id')
  const older = await owner.ask('GET', `/audit?limit=1&after=${body.next}`)
  assert.equal(older.body.items[0].sequence, body.items[1].sequence - 1)
  assert.equal((await owner.ask('GET', '/audit?after=x')).status, 400)
  const platformSubjects = (await listNewest(ctx.db, platformTenant, null, 1000)).map(({ subject }) => subject)
  assert.ok(
    !platformSubjects.includes(target.person.personId),
    'the platform’s log does not contain acts for the tenant',
  )
})

test('rejects a person’s name with line breaks or a link, because mails contain the name', async () => {
  const boss = await platformAdmin()
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
    assert.equal(refused.status, 400, JSON.stringify(name))
    assert.equal(refused.body.error?.details.field, 'name', JSON.stringify(name))
  }
  for (const [i, name] of ['A.R. Rahman', "Dr. Nita O'Rao-Iyer", 'शर्मिष्ठा', 'ക്\u200dഷ'].entries()) {
    const request = { email: `name${i}@b.example`, name, role: 'viewer' }
    assert.equal((await boss.ask('POST', '/people/invitations', request)).status, 201, name)
  }
})
