import { propertyOf } from '../objects.ts';
import { nameOf, nodeIn, nodesIn, type SyntaxNode } from '../syntax.ts';

/** The value of an enum member. Undefined where it is known only at run time. */
export type Constant = number | string | undefined;

type Enums = ReadonlyMap<string, ReadonlyMap<string, Constant>>;

/** Computes an initializer in the enum `own`, where that is possible without running it. */
export function constantOf(node: SyntaxNode, own: string, enums: Enums): Constant {
  const inner = (field: string): Constant => {
    const child = nodeIn(node, field);
    return child && constantOf(child, own, enums);
  };
  switch (node.type) {
    case 'Literal':
      return typeof node.value === 'number' || typeof node.value === 'string' ? node.value : undefined;
    case 'Identifier': {
      const name = nameOf(node);
      const known = enums.get(own);
      if (known?.has(name)) return known.get(name);
      return name === 'NaN' ? NaN : name === 'Infinity' ? Infinity : undefined;
    }
    case 'MemberExpression': {
      const key = nodeIn(node, 'property');
      return enums.get(nameOf(nodeIn(node, 'object')))?.get(nameOf(key));
    }
    case 'TemplateLiteral': {
      const values = nodesIn(node, 'expressions').map((each) => constantOf(each, own, enums));
      if (values.includes(undefined)) return undefined;
      const texts = nodesIn(node, 'quasis').map((each) => String(propertyOf(each.value, 'cooked') ?? ''));
      return texts.map((text, index) => text + String(values[index] ?? '')).join('');
    }
    case 'UnaryExpression':
      return unary(String(node.operator), inner('argument'));
    case 'BinaryExpression':
      return binary(String(node.operator), inner('left'), inner('right'));
    case 'ParenthesizedExpression':
      return inner('expression');
    default:
      return undefined;
  }
}

function unary(operator: string, value: Constant): Constant {
  if (typeof value !== 'number') return undefined;
  if (operator === '-') return -value;
  if (operator === '+') return value;
  return operator === '~' ? ~value : undefined;
}

function binary(operator: string, left: Constant, right: Constant): Constant {
  if (left === undefined || right === undefined) return undefined;
  if (operator === '+' && (typeof left === 'string' || typeof right === 'string')) return `${left}${right}`;
  if (typeof left !== 'number' || typeof right !== 'number') return undefined;
  return NUMERIC[operator]?.(left, right);
}

const NUMERIC: Readonly<Record<string, (a: number, b: number) => number>> = {
  '+': (a, b) => a + b,
  '-': (a, b) => a - b,
  '*': (a, b) => a * b,
  '/': (a, b) => a / b,
  '%': (a, b) => a % b,
  '**': (a, b) => a ** b,
  '<<': (a, b) => a << b,
  '>>': (a, b) => a >> b,
  '>>>': (a, b) => a >>> b,
  '|': (a, b) => a | b,
  '&': (a, b) => a & b,
  '^': (a, b) => a ^ b,
};
