// Every operation of the console is a command, or stands in a list that says why not.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { routeCommands, routesByHand, routesOfPages } from '@lendloom/platform/src/api/console/commands.ts'
import { consoleApi } from '@lendloom/platform/src/api/console/routes.ts'
import { consoleOperations, routeName } from './console-operations.ts'

test('every route of the console has a command, made or written by hand, or belongs to a page', () => {
  const listed = [Object.keys(routeCommands), routesByHand, routesOfPages].flat()
  assert.deepEqual([...listed].sort(), consoleApi.routes.map(routeName).sort())
})

test('no two commands have one name, and no two options of a command', () => {
  const operations = consoleOperations()
  assert.equal(new Set(operations.map(({ name }) => name)).size, operations.length)
  for (const { name, fields } of operations) {
    const options = fields.filter(({ place }) => place === undefined).map(({ option }) => option)
    assert.equal(new Set(options).size, options.length, name)
  }
})

test('the columns of a list are fields of its items', () => {
  for (const [name, { columns = {} }] of Object.entries(routeCommands)) {
    const route = consoleApi.routes.find((each) => routeName(each) === name)
    const [reply] = Object.values<Schema>(route?.reply ?? {})
    const item = reply?.properties?.items?.items ?? {}
    for (const path of Object.values(columns)) assert.ok(hasField(item, path), `${name}: ${path}`)
  }
})

interface Schema {
  anyOf?: Schema[]
  items?: Schema
  properties?: Record<string, Schema>
}

function hasField({ anyOf = [], properties = {} }: Schema, path: string): boolean {
  const [first = '', ...rest] = path.split('.')
  if (anyOf.some((each) => hasField(each, path))) return true
  const field = properties[first]
  return field !== undefined && (rest.length === 0 || hasField(field, rest.join('.')))
}
