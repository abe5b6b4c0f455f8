// Headers and client credentials as people type them, and as they are shown.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { accessRequestOf, accessText, hasAccess, noTypedAccess } from './access-texts.ts'

test('D1 §6: headers are typed a line each, and empty fields remove what an endpoint had', () => {
  assert.deepEqual(accessRequestOf(noTypedAccess), { headers: null, clientCredentials: null })
  const headers = ' X-Api-Key:  a b:c \n\nno colon\nx-empty:'
  assert.deepEqual(accessRequestOf({ ...noTypedAccess, headers }).headers, [
    { name: 'X-Api-Key', value: 'a b:c' },
    { name: 'no colon', value: '' },
    { name: 'x-empty', value: '' },
  ])
  const typed = { ...noTypedAccess, tokenUrl: ' https://auth.example/token ', clientId: 'app', clientSecret: 's' }
  const client = { tokenUrl: 'https://auth.example/token', clientId: 'app', clientSecret: 's' }
  assert.deepEqual(accessRequestOf(typed).clientCredentials, client)
  assert.deepEqual(accessRequestOf({ ...typed, scope: 'a b' }).clientCredentials, { ...client, scope: 'a b' })
  assert.deepEqual(accessRequestOf({ ...noTypedAccess, scope: 'a' }).clientCredentials, {
    tokenUrl: '',
    clientId: '',
    clientSecret: '',
    scope: 'a',
  })
})

test('D1 §6: an endpoint names its headers and the server of its token', () => {
  const access = {
    headers: [{ name: 'x-api-key', value: '••••6789' }],
    clientCredentials: { tokenUrl: 'https://auth.example/token', clientId: 'app', scope: null },
  }
  assert.equal(accessText(access), 'x-api-key ••••6789, a token of auth.example')
  assert.equal(hasAccess(access), true)
  assert.equal(hasAccess({ headers: [], clientCredentials: null }), false)
})
