// The console's routes, asked within this process, where nobody signs in: what they are given is checked as the server does.

import { Readable } from 'node:stream'
import { text as textOf } from 'node:stream/consumers'
import { uuidv7 } from '#kit/crypto/id.ts'
import { Answer, type Route } from '#kit/http/route.ts'
import { parse, type TSchema } from '#kit/http/schema.ts'
import { isObject } from '#kit/runtime/narrow.ts'
import { consoleApi } from '#platform/console/routes.ts'
import type { Context } from '#platform/context.ts'
import { commandLine } from '#platform/staff/person.ts'
import { withPlatform } from './platform.ts'

/** What a route is given; what is undefined is left out. */
export interface Input {
  params?: Record<string, string>
  query?: Record<string, string | undefined>
  body?: Record<string, unknown>
}

/** Asks a route by its method and path behind `/api/console`; gives its answer as it is on the wire. */
export type Ask = <T>(route: string, input?: Input) => Promise<T>

export const openConsole = <T>(env: NodeJS.ProcessEnv, work: (ask: Ask) => Promise<T>): Promise<T> =>
  withPlatform(env, (ctx) => work(async (name, input) => onWire(await answered(ctx, routeNamed(name), input))))

// biome-ignore lint/suspicious/noExplicitAny: routes of every schema live in one list
type AnyRoute = Route<Context, any, any, any, any>

function routeNamed(name: string): AnyRoute {
  const found = consoleApi.routes.find(
    ({ method, path }) => `${method} ${path.slice(consoleApi.prefix.length)}` === name,
  )
  if (!found) throw new Error(`the console has no route ${name}`)
  return found
}

async function answered(ctx: Context, route: AnyRoute, { params = {}, query = {}, body }: Input = {}) {
  const at = ctx.clock()
  const requestId = uuidv7(at.getTime())
  const arrival = {
    requestId,
    correlationId: requestId,
    at,
    ip: '',
    headers: {},
    answerHeaders: {},
    raw: Buffer.alloc(0),
  }
  const call = {
    ...arrival,
    path: route.path,
    who: commandLine,
    params: route.params ? parse(route.params, params) : params,
    query: route.query ? parse(route.query, given(query)) : {},
    body: route.body && parse(route.body, given(body ?? {})),
  }
  const result = await route.handle(call, ctx)
  const { status, body: reply } = result instanceof Answer ? result : new Answer(200, result)
  if (reply instanceof Readable) return textOf(reply)
  const schema = route.reply?.[status]
  return schema ? shaped(schema, reply) : reply
}

const given = (fields: Record<string, unknown>): Record<string, unknown> =>
  Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined))

/** Without what the schema of the answer does not know, as the server leaves it out. */
function shaped(schema: TSchema & { properties?: Record<string, TSchema>; items?: TSchema }, value: unknown): unknown {
  const { properties, items } = schema
  if (Array.isArray(value)) return items ? value.map((each) => shaped(items, each)) : value
  if (!properties || !isObject(value)) return value
  const known = Object.entries(properties).filter(([name]) => name in value)
  return Object.fromEntries(known.map(([name, inner]) => [name, shaped(inner, value[name])]))
}

const onWire = (value: unknown) => (value == null ? null : JSON.parse(JSON.stringify(value)))
