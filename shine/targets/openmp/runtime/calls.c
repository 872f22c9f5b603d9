/* Calls of a kernel like an earlier one: whole arrays of known shapes, and numbers of exactly the right type. The module
   `shine_calls` has one type, Calls: `remember` takes what the shapes of a checked call determine, `call` runs the kernel
   if the shapes are known, and otherwise returns None without having written anything but `out`. It reports no mistake:
   the caller then checks the call in Python, with all diagnostics. A result may be the new value of an input: then the
   kernel changes the input's elements, or the result is copied there after a run without failures.

   AWAKE and SETTLED are times in nanoseconds: see shine/targets/openmp/threads.py. */

#define PY_SSIZE_T_CLEAN
#define NPY_NO_DEPRECATED_API NPY_2_0_API_VERSION
#include <Python.h>
#include <numpy/arrayobject.h>
#include <numpy/arrayscalars.h>
#include <math.h>
#include <stdbool.h>
#include <stdint.h>
#include <string.h>
#include <time.h>

enum { SLOTS = 64, MAX_LEAVES = 64, MAX_NUMBERS = 512 };

typedef struct { // an array or a number that is passed
  PyArray_Descr *type;
  int axes;
  bool is_number;
  int updates;   // the input whose new value a result is, or -1
  bool in_place; // whether the kernel changes its elements
} Leaf;

typedef struct {
  PyObject_HEAD
  int inputs, outputs, sizes;
  int given, numbers; // how many axes the inputs have, and how many numbers a slot has
  bool changes;       // whether an input is updated
  Leaf leaves[MAX_LEAVES];
  PyObject *tree;     // how the results are put together: nested tuples of positions
  int (*run)(const int64_t *, void *const *);
  void (*wake)(void); // NULL for a kernel on one thread
  int (*shares)(const int64_t *); // whether a call of these sizes uses other threads; NULL: always
  PyObject *deserted; // threads that cannot run parallel loops
  int64_t awake_until, settled_until;
  int64_t *slots; // each: whether it is used, axes of inputs, sizes, ends of indices or -1, axes of outputs
  PyObject *failed; // raises an exception for the sizes and status of a call that failed, if it may not run again, or None
  PyObject *kept; // what `run` and `wake` are part of
} Calls;

static int64_t now(void) {
  struct timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  return (int64_t)t.tv_sec * 1000000000 + t.tv_nsec;
}

static int64_t *slot_of(const Calls *self, const int64_t *axes) {
  uint64_t hash = 1469598103934665603u;
  for (int i = 0; i < self->given; i++) hash = (hash ^ (uint64_t)axes[i]) * 1099511628211u;
  hash = (hash ^ hash >> 32) * 0x9e3779b97f4a7c15u; // in the bits above, the last axis alone changes next to nothing
  return self->slots + (hash >> 32) % SLOTS * self->numbers;
}

static bool is_of_type(PyArray_Descr *found, PyArray_Descr *expected) {
  return found == expected || PyArray_EquivTypes(found, expected);
}

static bool is_whole(PyArrayObject *array, const Leaf *leaf) {
  return PyArray_NDIM(array) == leaf->axes && is_of_type(PyArray_DESCR(array), leaf->type) &&
         PyArray_IS_C_CONTIGUOUS(array) && PyArray_ISALIGNED(array);
}

static bool set_integer(char kind, Py_ssize_t bytes, int64_t value, void *number) {
  const int bits = (int)(8 * bytes);
  if (kind == 'u' ? value < 0 || (bits < 64 && value >> bits) : bits < 64 && (value >> (bits - 1)) != (value < 0 ? -1 : 0))
    return false;
  memcpy(number, &value, (size_t)bytes); // little-endian, as all processors that openmp is built for here
  return true;
}

static bool set_float(Py_ssize_t bytes, double value, void *number) {
  if (bytes == 8) {
    memcpy(number, &value, 8);
    return true;
  }
  const float rounded = (float)value;
  if (bytes != 4 || (isfinite(value) && !isfinite(rounded))) return false;
  memcpy(number, &rounded, 4);
  return true;
}

static bool set_number(PyObject *value, const Leaf *leaf, int64_t *number) {
  const char kind = leaf->type->kind;
  const Py_ssize_t bytes = PyDataType_ELSIZE(leaf->type);
  if (bytes > 8) return false;
  if (PyBool_Check(value)) {
    *(bool *)number = value == Py_True;
    return kind == 'b';
  }
  if (PyFloat_CheckExact(value)) return kind == 'f' && set_float(bytes, PyFloat_AS_DOUBLE(value), number);
  if (PyLong_CheckExact(value)) {
    int overflow;
    const int64_t integer = PyLong_AsLongLongAndOverflow(value, &overflow);
    if (overflow) return false;
    if (kind == 'f')
      return integer > -(1ll << 53) && integer < 1ll << 53 && set_float(bytes, (double)integer, number);
    return (kind == 'i' || kind == 'u') && set_integer(kind, bytes, integer, number);
  }
  if (PyArray_CheckExact(value)) {
    PyArrayObject *array = (PyArrayObject *)value;
    if (!is_whole(array, leaf)) return false;
    memcpy(number, PyArray_DATA(array), (size_t)bytes);
    if (kind == 'b') *(bool *)number = *(char *)number != 0; // a byte of any value
    return true;
  }
  if (PyArray_IsScalar(value, Generic) && PyTypeNum_ISNUMBER(leaf->type->type_num)) {
    PyArray_Descr *type = PyArray_DescrFromScalar(value);
    if (!type) return false;
    const bool fits = type == leaf->type;
    if (fits) PyArray_ScalarAsCtype(value, number);
    Py_DECREF(type);
    return fits;
  }
  return false;
}

static bool are_indices(const int64_t *values, npy_intp count, int64_t end) {
  uint64_t wrong = 0;
  for (npy_intp i = 0; i < count; i++) wrong |= (uint64_t)((uint64_t)values[i] >= (uint64_t)end);
  return !wrong;
}

static bool overlap(PyArrayObject *a, PyArrayObject *b) { // of contiguous arrays
  const char *first = PyArray_BYTES(a), *second = PyArray_BYTES(b);
  return first < second + PyArray_NBYTES(b) && second < first + PyArray_NBYTES(a);
}

static PyObject *assembled(PyObject *tree, PyObject **arrays) {
  if (PyLong_Check(tree)) {
    PyObject *array = arrays[PyLong_AsLong(tree)];
    Py_INCREF(array);
    return array;
  }
  PyObject *tuple = PyTuple_New(PyTuple_GET_SIZE(tree));
  for (Py_ssize_t i = 0; tuple && i < PyTuple_GET_SIZE(tree); i++) {
    PyObject *part = assembled(PyTuple_GET_ITEM(tree, i), arrays);
    if (!part) Py_CLEAR(tuple);
    else PyTuple_SET_ITEM(tuple, i, part);
  }
  return tuple;
}

/* call(arguments, out) */
static PyObject *calls_call(PyObject *object, PyObject *const *given, Py_ssize_t count) {
  Calls *self = (Calls *)object;
  if (count != 2 || !PyTuple_Check(given[0])) {
    PyErr_SetString(PyExc_TypeError, "call(arguments, out)");
    return NULL;
  }
  PyObject *const arguments = given[0], *out = given[1] == Py_None ? NULL : given[1];
  if (PyTuple_GET_SIZE(arguments) != self->inputs || (out && (self->outputs != 1 || self->changes))) Py_RETURN_NONE;
  if (self->wake && PySet_GET_SIZE(self->deserted)) Py_RETURN_NONE;
  int64_t axes[self->given + 1], values[MAX_LEAVES];
  void *passed[MAX_LEAVES];
  int known = 0;
  for (int i = 0; i < self->inputs; i++) {
    PyObject *value = PyTuple_GET_ITEM(arguments, i);
    if (self->leaves[i].is_number) {
      values[i] = 0;
      if (!set_number(value, &self->leaves[i], &values[i])) {
        PyErr_Clear();
        Py_RETURN_NONE;
      }
      passed[i] = &values[i];
      continue;
    }
    PyArrayObject *array = (PyArrayObject *)value;
    if (!PyArray_CheckExact(value) || !is_whole(array, &self->leaves[i])) Py_RETURN_NONE;
    for (int axis = 0; axis < self->leaves[i].axes; axis++) axes[known++] = PyArray_DIM(array, axis);
    passed[i] = PyArray_DATA(array);
  }
  const int64_t *slot = slot_of(self, axes);
  if (!slot[0] || memcmp(slot + 1, axes, sizeof *axes * (size_t)known)) Py_RETURN_NONE;
  const int64_t *ends = slot + 1 + known + self->sizes, *shape = ends + self->inputs;
  for (int i = 0; i < self->inputs; i++)
    if (ends[i] >= 0) {
      const npy_intp size =
          self->leaves[i].is_number ? 1 : PyArray_SIZE((PyArrayObject *)PyTuple_GET_ITEM(arguments, i));
      if (!are_indices(passed[i], size, ends[i])) Py_RETURN_NONE;
    }
  int64_t sizes[self->sizes + 1];
  memcpy(sizes, slot + 1 + known, sizeof *sizes * (size_t)self->sizes);
  for (int i = 0; self->changes && i < self->outputs; i++) {
    const int updated = self->leaves[self->inputs + i].updates;
    if (updated < 0) continue;
    PyArrayObject *array = (PyArrayObject *)PyTuple_GET_ITEM(arguments, updated);
    if (!PyArray_ISWRITEABLE(array)) Py_RETURN_NONE;
    for (int j = 0; j < self->inputs; j++) {
      PyObject *value = PyTuple_GET_ITEM(arguments, j);
      if (j != updated && PyArray_Check(value) && overlap(array, (PyArrayObject *)value)) Py_RETURN_NONE;
    }
  }
  PyObject *results[MAX_LEAVES];
  int made = 0;
  for (; made < self->outputs; made++) {
    const Leaf *leaf = &self->leaves[self->inputs + made];
    if (leaf->in_place) {
      shape += leaf->axes;
      results[made] = PyTuple_GET_ITEM(arguments, leaf->updates);
      Py_INCREF(results[made]);
    } else if (out) {
      PyArrayObject *array = (PyArrayObject *)out;
      if (!PyArray_CheckExact(out) || !is_whole(array, leaf) || !PyArray_ISWRITEABLE(array)) Py_RETURN_NONE;
      for (int axis = 0; axis < leaf->axes; axis++)
        if (PyArray_DIM(array, axis) != shape[axis]) Py_RETURN_NONE;
      for (int i = 0; i < self->inputs; i++) {
        PyObject *value = PyTuple_GET_ITEM(arguments, i);
        if (PyArray_Check(value) && overlap(array, (PyArrayObject *)value)) Py_RETURN_NONE;
      }
      Py_INCREF(out);
      results[made] = out;
    } else {
      npy_intp extents[NPY_MAXDIMS];
      for (int axis = 0; axis < leaf->axes; axis++) extents[axis] = (npy_intp)*shape++;
      Py_INCREF(leaf->type);
      results[made] = PyArray_NewFromDescr(&PyArray_Type, leaf->type, leaf->axes, extents, NULL, NULL, 0, NULL);
      if (!results[made]) break;
    }
    passed[self->inputs + made] = PyArray_DATA((PyArrayObject *)results[made]);
  }
  PyObject *result = NULL;
  if (made == self->outputs) {
    int status;
    Py_BEGIN_ALLOW_THREADS
    const bool shares = self->wake && (!self->shares || self->shares(sizes));
    if (shares) {
      const int64_t begun = now();
      if (begun > self->awake_until || begun > self->settled_until) {
        self->wake();
        self->settled_until = begun + SETTLED;
      }
    }
    status = self->run(sizes, passed);
    if (shares) self->awake_until = now() + AWAKE;
    Py_END_ALLOW_THREADS
    for (int i = 0; !status && self->changes && i < self->outputs; i++) {
      const Leaf *leaf = &self->leaves[self->inputs + i];
      if (leaf->updates < 0 || leaf->in_place) continue;
      PyArrayObject *array = (PyArrayObject *)PyTuple_GET_ITEM(arguments, leaf->updates);
      memcpy(PyArray_DATA(array), PyArray_DATA((PyArrayObject *)results[i]), (size_t)PyArray_NBYTES(array));
      Py_INCREF(array);
      Py_SETREF(results[i], (PyObject *)array);
    }
    if (!status) result = assembled(self->tree, results);
    else if (self->failed != Py_None) {
      while (made) Py_DECREF(results[--made]);
      PyObject *numbers = PyTuple_New(self->sizes);
      for (int i = 0; numbers && i < self->sizes; i++) PyTuple_SET_ITEM(numbers, i, PyLong_FromLongLong(sizes[i]));
      return numbers ? PyObject_CallFunction(self->failed, "Ni", numbers, status) : NULL;
    }
  }
  while (made) Py_DECREF(results[--made]);
  if (result) return result;
  PyErr_Clear(); // the caller tries again, and reports what fails
  Py_RETURN_NONE;
}

/* remember(axes of inputs, sizes, ends, axes of outputs): flat tuples of integers */
static PyObject *calls_remember(PyObject *object, PyObject *const *given, Py_ssize_t count) {
  Calls *self = (Calls *)object;
  int64_t numbers[MAX_NUMBERS] = {1};
  int filled = 1;
  for (Py_ssize_t part = 0; part < count; part++) {
    if (!PyTuple_Check(given[part])) {
      PyErr_SetString(PyExc_TypeError, "expected tuples of integers");
      return NULL;
    }
    for (Py_ssize_t i = 0; i < PyTuple_GET_SIZE(given[part]) && filled < self->numbers; i++)
      numbers[filled++] = PyLong_AsLongLong(PyTuple_GET_ITEM(given[part], i));
  }
  if (PyErr_Occurred()) return NULL;
  if (filled != self->numbers) {
    PyErr_SetString(PyExc_ValueError, "expected as many integers as a call determines");
    return NULL;
  }
  memcpy(slot_of(self, numbers + 1), numbers, sizeof *numbers * (size_t)filled);
  Py_RETURN_NONE;
}

static void calls_dealloc(PyObject *object) {
  Calls *self = (Calls *)object;
  PyTypeObject *type = Py_TYPE(object);
  for (int i = 0; i < MAX_LEAVES; i++) Py_XDECREF(self->leaves[i].type);
  Py_XDECREF(self->tree);
  Py_XDECREF(self->deserted);
  Py_XDECREF(self->failed);
  Py_XDECREF(self->kept);
  PyMem_Free(self->slots);
  type->tp_free(object);
  Py_DECREF(type);
}

/* Calls(run, wake or 0, shares or 0, deserted, failed, sizes, inputs, outputs, tree, kept): a leaf is (type, axes, is a
   number, the input that it updates or -1, whether in place) */
static PyObject *calls_new(PyTypeObject *type, PyObject *arguments, PyObject *named) {
  unsigned long long run, wake, shares;
  PyObject *deserted, *failed, *inputs, *outputs, *tree, *kept;
  int sizes;
  if (!PyArg_ParseTuple(arguments, "KKKOOiO!O!OO", &run, &wake, &shares, &deserted, &failed, &sizes, &PyTuple_Type, &inputs,
                        &PyTuple_Type, &outputs, &tree, &kept))
    return NULL;
  if (!PyAnySet_Check(deserted)) {
    PyErr_SetString(PyExc_TypeError, "expected a set of threads");
    return NULL;
  }
  Calls *self = (Calls *)type->tp_alloc(type, 0);
  if (!self) return NULL;
  self->inputs = (int)PyTuple_GET_SIZE(inputs), self->outputs = (int)PyTuple_GET_SIZE(outputs), self->sizes = sizes;
  self->run = (int (*)(const int64_t *, void *const *))(uintptr_t)run;
  self->wake = (void (*)(void))(uintptr_t)wake;
  self->shares = (int (*)(const int64_t *))(uintptr_t)shares;
  self->numbers = 1 + sizes + self->inputs;
  for (int i = 0; i < self->inputs + self->outputs; i++) {
    PyObject *leaf = i < self->inputs ? PyTuple_GET_ITEM(inputs, i) : PyTuple_GET_ITEM(outputs, i - self->inputs);
    int axes = 0, is_number = 0, updates = -1, in_place = 0;
    PyArray_Descr *element = NULL;
    if (i < MAX_LEAVES && !PyArg_ParseTuple(leaf, "O!ipip", &PyArrayDescr_Type, &element, &axes, &is_number, &updates,
                                            &in_place)) {
      Py_DECREF(self);
      return NULL;
    }
    self->numbers += axes;
    if (i < self->inputs) self->given += axes;
    if (i >= MAX_LEAVES || axes > NPY_MAXDIMS || self->numbers > MAX_NUMBERS) {
      PyErr_SetString(PyExc_ValueError, "too many arrays");
      Py_DECREF(self);
      return NULL;
    }
    Py_INCREF(element);
    self->leaves[i] = (Leaf){element, axes, is_number, updates, in_place};
    if (updates >= 0) self->changes = true;
  }
  Py_INCREF(tree), self->tree = tree;
  Py_INCREF(deserted), self->deserted = deserted;
  Py_INCREF(failed), self->failed = failed;
  Py_INCREF(kept), self->kept = kept;
  self->slots = PyMem_Calloc((size_t)(SLOTS * self->numbers), sizeof *self->slots);
  if (!self->slots) {
    Py_DECREF(self);
    return PyErr_NoMemory();
  }
  return (PyObject *)self;
}

static PyMethodDef calls_methods[] = {
    {"call", (PyCFunction)(void (*)(void))calls_call, METH_FASTCALL, "The result of a known call, or None."},
    {"remember", (PyCFunction)(void (*)(void))calls_remember, METH_FASTCALL, "Remember a call that was checked."},
    {0}};
static PyType_Slot calls_slots[] = {{Py_tp_new, calls_new}, {Py_tp_dealloc, calls_dealloc}, {Py_tp_methods, calls_methods}, {0}};
static PyType_Spec calls_spec = {"shine_calls.Calls", sizeof(Calls), 0, Py_TPFLAGS_DEFAULT, calls_slots};

static PyModuleDef module = {.m_base = PyModuleDef_HEAD_INIT, .m_name = "shine_calls", .m_size = -1};

PyMODINIT_FUNC PyInit_shine_calls(void) {
  import_array();
  PyObject *made = PyModule_Create(&module), *type = PyType_FromSpec(&calls_spec);
  if (!made || !type || PyModule_AddObject(made, "Calls", type) < 0) return NULL;
  return made;
}
