import { Type } from 'typebox';
import { Count, Id, OneOf, Text, createBody, resource } from '../../fields.ts';

export const pageKinds = ['welcome', 'step', 'form', 'checklist', 'widget', 'completion'] as const;

/** A page of the microsite that a template's recipients walk through. */
export const Page = resource('page', {
  template_id: Id(),
  name: Text(120),
  title: Type.Optional(Text(120)),
  kind: OneOf([...pageKinds]),
  position: Count('Order within the template, from 0'),
});

export const PageCreate = createBody(Page, ['name'], ['title', 'kind', 'position']);

/** Pages at most of a template. */
export const maxPages = 50;
