// Exports of the page that later chunks import. A bundled copy would have its own state.
import { batch, effect, signal, useSignal } from '@preact/signals'
import { useEffect, useRef } from 'preact/hooks'
import { Fragment, jsx, jsxs } from 'preact/jsx-runtime'
import { ChoiceField, describedBy, Group, idOf, Labelled, TextField } from '../form/field.tsx'
import { Actions, Button, Form, TroubleNotice } from '../form/form.tsx'
import { latinDigits } from '../form/latin-digits.ts'
import { firstFields, usualMaxLength } from '../profile/profile-fields.ts'
import {
  attempt,
  clearError,
  errors,
  input,
  openPart,
  part,
  setProfileValue,
  stored,
  typedNames,
  values,
} from '../profile/profile-form.ts'
import { control, ProfilePart, parts, props } from '../profile/profile-screen.tsx'
import { language, setLanguage, t, textOf } from '../text.ts'
import { fetchTexts, loadTexts, provide } from './deferred-content.tsx'
import { errorOf } from './field-errors.ts'
import { page } from './page-state.ts'
import { Title } from './title.tsx'

/** Later chunks find each by its position. The build fails if a chunk imports a name of the page that is missing here. */
export const shared = [
  Actions,
  attempt,
  batch,
  Button,
  ChoiceField,
  clearError,
  control,
  describedBy,
  effect,
  errorOf,
  errors,
  fetchTexts,
  firstFields,
  Form,
  Fragment,
  Group,
  idOf,
  input,
  jsx,
  jsxs,
  Labelled,
  language,
  latinDigits,
  loadTexts,
  openPart,
  page,
  part,
  parts,
  ProfilePart,
  props,
  provide,
  setProfileValue,
  setLanguage,
  signal,
  stored,
  t,
  TextField,
  textOf,
  Title,
  TroubleNotice,
  typedNames,
  useEffect,
  useRef,
  useSignal,
  usualMaxLength,
  values,
]
