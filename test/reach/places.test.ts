import { describe, expect, test } from '@jest/globals';
import { Type } from 'typebox';
import { OneOf, resource } from '../../src/platform/schema/fields.ts';
import { listNames, placeOf, see } from './places.ts';

const schema = Type.Object({
  data: Type.Array(
    resource('lamp', {
      state: OneOf(['on', 'off']),
      colors: Type.Optional(Type.Array(Type.Union([OneOf(['red', 'blue']), Type.Null()]))),
      name: Type.String(),
    }),
  ),
});
const place = placeOf(schema, 'listLamps', (path, value) => `${path} = ${String(value)}`);

describe('the values that tests have to reach', () => {
  test('are all listed values of a schema, named by the resource that has them', () => {
    const names: string[] = [];
    listNames(place, (name) => names.push(name));
    expect(names.sort()).toEqual([
      'lamp.colors = blue',
      'lamp.colors = red',
      'lamp.state = off',
      'lamp.state = on',
      'lamp.type = lamp',
    ]);
  });

  test('count as reached where an answer has them, and nowhere else', () => {
    const names: string[] = [];
    const lamp = { type: 'lamp', state: 'off', colors: ['red', null], name: 'on' };
    see(place, { data: [lamp] }, (name) => names.push(name));
    expect(names.sort()).toEqual(['lamp.colors = red', 'lamp.state = off', 'lamp.type = lamp']);
  });

  test('are none in a schema of free text', () => {
    expect(placeOf(Type.Object({ name: Type.String() }), 'any', String)).toBeUndefined();
  });
});
